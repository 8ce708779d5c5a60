/* Workload: Schneier's block cipher Blowfish. Each of the cipher's 16 rounds looks up four words in
 * four tables of 1 KB, which depend on the key. The tables initially contain the fractional digits of
 * pi. Setting a key replaces the contents of the tables with output of the cipher itself, which
 * takes as long as encrypting 521 blocks.
 *
 * Known answers: the published test vectors with keys of 8 bytes that are listed below. Each
 * round sets a key, then encrypts and decrypts a text in cipher feedback mode (each word of
 * text is mixed with the encrypted word before it). */
#include "workload.h"

#define N_STEPS 16u
#define N_SUBKEYS (N_STEPS + 2)
#define N_WORDS 2048u

struct blowfish {
    uint32_t subkey[N_SUBKEYS];
    uint32_t box[4][256];
};

/* 1,042 words of 8 hexadecimal digits: the subkeys, then the boxes. */
static const char pi[] =
    "243f6a8885a308d313198a2e03707344a4093822299f31d0082efa98ec4e6c89452821e638d01377be5466cf"
    "34e90c6cc0ac29b7c97c50dd3f84d5b5b54709179216d5d98979fb1bd1310ba698dfb5ac2ffd72dbd01adfb7"
    "b8e1afed6a267e96ba7c9045f12c7f9924a19947b3916cf70801f2e2858efc16636920d871574e69a458fea3"
    "f4933d7e0d95748f728eb658718bcd5882154aee7b54a41dc25a59b59c30d5392af26013c5d1b023286085f0"
    "ca417918b8db38ef8e79dcb0603a180e6c9e0e8bb01e8a3ed71577c1bd314b2778af2fda55605c60e65525f3"
    "aa55ab945748986263e8144055ca396a2aab10b6b4cc5c341141e8cea15486af7c72e993b3ee1411636fbc2a"
    "2ba9c55d741831f6ce5c3e169b87931eafd6ba336c24cf5c7a325381289586773b8f48986b4bb9afc4bfe81b"
    "6628219361d809ccfb21a991487cac605dec8032ef845d5de98575b1dc262302eb651b8823893e81d396acc5"
    "0f6d6ff383f442392e0b4482a484200469c8f04a9e1f9b5e21c66842f6e96c9a670c9c61abd388f06a51a0d2"
    "d8542f68960fa728ab5133a36eef0b6c137a3be4ba3bf0507efb2a98a1f1651d39af017666ca593e82430e88"
    "8cee8619456f9fb47d84a5c33b8b5ebee06f75d885c12073401a449f56c16aa64ed3aa62363f77061bfedf72"
    "429b023d37d0d724d00a1248db0fead349f1c09b075372c980991b7b25d479d8f6e8def7e3fe501ab6794c3b"
    "976ce0bd04c006bac1a94fb6409f60c45e5c9ec2196a246368fb6faf3e6c53b51339b2eb3b52ec6f6dfc511f"
    "9b30952ccc814544af5ebd09bee3d004de334afd660f2807192e4bb3c0cba85745c8740fd20b5f39b9d3fbdb"
    "5579c0bd1a60320ad6a100c6402c7279679f25fefb1fa3cc8ea5e9f8db3222f83c7516dffd616b152f501ec8"
    "ad0552ab323db5fafd23876053317b483e00df829e5c57bbca6f8ca01a87562edf1769dbd542a8f6287effc3"
    "ac6732c68c4f5573695b27b0bbca58c8e1ffa35db8f011a010fa3d98fd2183b84afcb56c2dd1d35b9a53e479"
    "b6f84565d28e49bc4bfb9790e1ddf2daa4cb7e3362fb1341cee4c6e8ef20cada36774c01d07e9efe2bf11fb4"
    "95dbda4dae909198eaad8e716b93d5a0d08ed1d0afc725e08e3c5b2f8e7594b78ff6e2fbf2122b648888b812"
    "900df01c4fad5ea0688fc31cd1cff191b3a8c1ad2f2f2218be0e1777ea752dfe8b021fa1e5a0cc0fb56f74e8"
    "18acf3d6ce89e299b4a84fe0fd13e0b77cc43b81d2ada8d9165fa2668095770593cc7314211a1477e6ad2065"
    "77b5fa86c75442f5fb9d35cfebcdaf0c7b3e89a0d6411bd3ae1e7e4900250e2d2071b35e226800bb57b8e0af"
    "2464369bf009b91e5563911d59dfa6aa78c14389d95a537f207d5ba202e5b9c5832603766295cfa911c81968"
    "4e734a41b3472dca7b14a94a1b5100529a532915d60f573fbc9bc6e42b60a47681e6740008ba6fb5571be91f"
    "f296ec6b2a0dd915b6636521e7b9f9b6ff34052ec585566453b02d5da99f8fa108ba47996e85076a4b7a70e9"
    "b5b32944db75092ec4192623ad6ea6b049a7df7d9cee60b88fedb266ecaa8c71699a17ff5664526cc2b19ee1"
    "193602a575094c29a0591340e4183a3e3f54989a5b429d656b8fe4d699f73fd6a1d29c07efe830f54d2d38e6"
    "f0255dc14cdd20868470eb266382e9c6021ecc5e09686b3f3ebaefc93c9718146b6a70a1687f358452a0e286"
    "b79c5305aa5007373e07841c7fdeae5c8e7d44ec5716f2b8b03ada37f0500c0df01c1f040200b3ffae0cf51a"
    "3cb574b225837a58dc0921bdd19113f97ca92ff69432477322f547013ae5e58137c2dadcc8b576349af3dda7"
    "a94461460fd0030eecc8c73ea4751e41e238cd993bea0e2f3280bba1183eb3314e548b384f6db9086f420d03"
    "f60a04bf2cb8129024977c795679b072bcaf89afde9a771fd9930810b38bae12dccf3f2e5512721f2e6b7124"
    "501adde69f84cd877a5847187408da17bc9f9abce94b7d8cec7aec3adb851dfa63094366c464c3d2ef1c1847"
    "3215d908dd433b3724c2ba1612a14d432a65c45150940002133ae4dd71dff89e10314e5581ac77d65f11199b"
    "043556f1d7a3c76b3c11183b5924a509f28fe6ed97f1fbfa9ebabf2c1e153c6e86e34570eae96fb1860e5e0a"
    "5a3e2ab3771fe71c4e3d06fa2965dcb999e71d0f803e89d65266c8252e4cc9789c10b36ac6150eba94e2ea78"
    "a5fc3c531e0a2df4f2f74ea7361d2b3d1939260f19c279605223a708f71312b6ebadfe6eeac31f66e3bc4595"
    "a67bc883b17f37d1018cff28c332ddefbe6c5aa56558218568ab9802eecea50fdb2f953b2aef7dad5b6e2f84"
    "1521b62829076170ecdd4775619f151013cca830eb61bd960334fe1eaa0363cfb5735c904c70a239d59e9e0b"
    "cbaade14eecc86bc60622ca79cab5cabb2f3846e648b1eaf19bdf0caa02369b9655abb5040685a323c2ab4b3"
    "319ee9d5c021b8f79b540b19875fa09995f7997e623d7da8f837889a97e32d7711ed935f166812810e358829"
    "c7e61fd696dedfa17858ba9957f584a51b2272639b83c3ff1ac24696cdb30aeb532e30548fd948e46dbc3128"
    "58ebf2ef34c6ffeafe28ed61ee7c3c735d4a14d9e864b7e342105d14203e13e045eee2b6a3aaabeadb6c4f15"
    "facb4fd0c742f442ef6abbb5654f3b1d41cd2105d81e799e86854dc7e44b476a3d816250cf62a1f25b8d2646"
    "fc8883a0c1c7b6a37f1524c369cb749247848a0b5692b285095bbf00ad19489d1462b17423820e0058428d2a"
    "0c55f5ea1dadf43e233f70613372f0928d937e41d65fecf16c223bdb7cde3759cbee74604085f2a7ce77326e"
    "a607808419f8509ee8efd85561d99735a969a7aac50c06c25a04abfc800bcadc9e447a2ec3453484fdd56705"
    "0e1e9ec9db73dbd3105588cd675fda79e3674340c5c43465713e38d83d28f89ef16dff20153e21e78fb03d4a"
    "e6e39f2bdb83adf7e93d5a68948140f7f64c261c94692934411520f77602d4f7bcf46b2ed4a20068d4082471"
    "3320f46a43b7d4b7500061af1e39f62e9724454614214f74bf8b88404d95fc1d96b591af70f4ddd366a02f45"
    "bfbc09ec03bd97857fac6dd031cb850496eb27b355fd3941da2547e6abca0a9a28507825530429f40a2c86da"
    "e9b66dfb68dc1462d7486900680ec0a427a18dee4f3ffea2e887ad8cb58ce0067af4d6b6aace1e7cd3375fec"
    "ce78a399406b2a4220fe9e35d9f385b9ee39d7ab3b124e8b1dc9faf74b6d185626a36631eae397b23a6efa74"
    "dd5b43326841e7f7ca7820fbfb0af54ed8feb397454056acba48952755533a3a20838d87fe6ba9b7d096954b"
    "55a867bca1159a58cca9296399e1db33a62a4a563f3125f95ef47e1c9029317cfdf8e80204272f7080bb155c"
    "05282ce395c11548e4c66d2248c1133fc70f86dc07f9c9ee41041f0f404779a45d886e17325f51ebd59bc0d1"
    "f2bcc18f41113564257b7834602a9c60dff8e8a31f636c1b0e12b4c202e1329eaf664fd1cad181156b2395e0"
    "333e92e13b240b62eebeb92285b2a20ee6ba0d99de720c8c2da2f728d012784595b794fd647d0862e7ccf5f0"
    "5449a36f877d48fac39dfd27f33e8d1e0a476341992eff743a6f6eabf4f8fd37a812dc60a1ebddf8991be14c"
    "db6e6b0dc67b55106d672c372765d43bdcd0e804f1290dc7cc00ffa3b5390f92690fed0b667b9ffbcedb7d9c"
    "a091cf0bd9155ea3bb132f88515bad247b9479bf763bd6eb37392eb3cc1159798026e297f42e312d6842ada7"
    "c66a2b3b12754ccc782ef11c6a124237b79251e706a1bbe64bfb63501a6b101811caedfa3d25bdd8e2e1c3c9"
    "444216590a121386d90cec6ed5abea2a64af674eda86a85fbebfe98864e4c3fe9dbc8057f0f7c08660787bf8"
    "6003604dd1fd8346f6381fb07745ae04d736fccc83426b33f01eab71b08041873c005e5f77a057bebde8ae24"
    "55464299bf582e614e58f48ff2ddfda2f474ef388789bdc25366f9c3c8b38e74b475f25546fcd9b97aeb2661"
    "8b1ddf84846a0e79915f95e2466e598e20b457708cd55591c902de4cb90bace1bb8205d011a862487574a99e"
    "b77f19b6e0a9dc09662d09a1c4324633e85a1f0209f0be8c4a99a0251d6efe101ab93d1d0ba5a4dfa186f20f"
    "2868f169dcb7da83573906fea1e2ce9b4fcd7f5250115e01a70683faa002b5c40de6d0279af88c27773f8641"
    "c3604c0661a806b5f0177a28c0f586e0006058aa30dc7d6211e69ed72338ea6353c2dd94c2c21634bbcbee56"
    "90bcb6deebfc7da1ce591d766f05e4094b7c018839720a3d7c927c2486e3725f724d9db91ac15bb4d39eb8fc"
    "ed54557808fca5b5d83d7cd34dad0fc41e50ef5eb161e6f8a28514d96c51133c6fd5c7e756e14ec4362abfce"
    "ddc6c837d79a323492638212670efa8e406000e03a39ce37d3faf5cfabc277375ac52d1b5cb0679e4fa33742"
    "d382274099bc9bbed5118e9dbf0f7315d62d1c7ec700c47bb78c1b6b21a19045b26eb1be6a366eb45748ab2f"
    "bc946e79c6a376d26549c2c8530ff8ee468dde7dd5730a1d4cd04dc62939bbdba9ba4650ac9526e8be5ee304"
    "a1fad5f06a2d519a63ef8ce29a86ee22c089c2b843242ef6a51e03aa9cf2d0a483c061ba9be96a4d8fe51550"
    "ba645bd62826a2f9a73a3ae14ba99586ef5562e9c72fefd3f752f7da3f046f6977fa0a5980e4a91587b08601"
    "9b09e6ad3b3ee593e990fd5a9e34d7972cf0b7d9022b8b5196d5ac3a017da67dd1cf3ed67c7d2d281f9f25cf"
    "adf2b89b5ad6b4725a88f54ce029ac71e019a5e647b0acfded93fa9be8d3c48d283b57ccf8d5662979132e28"
    "785f0191ed756055f7960e44e3d35e8c15056dd488f46dba03a161250564f0bdc3eb9e153c9057a297271aec"
    "a93a072a1b3f6d9b1e6321f5f59c66fb26dcf3197533d928b155fdf5035634828aba3cbb28517711c20ad9f8"
    "abcc5167ccad925f4de817513830dc8e379d58629320f991ea7a90c2fb3e7bce5121ce64774fbe32a8b6e37e"
    "c3293d4648de53696413e680a2ae0810dd6db22469852dfd09072166b39a460a6445c0dd586cdecf1c20c8ae"
    "5bbef7dd1b588d40ccd2017f6bb4e3bbdda26a7e3a59ff453e350a44bcb4cdd572eacea8fa6484bb8d6612ae"
    "bf3c6f47d29be463542f5d9eaec2771bf64e6370740e0d8de75b1357f8721671af537d5d4040cb084eb4e2cc"
    "34d2466a0115af84e1b0042895983a1d06b89fb4ce6ea0486f3f3b823520ab82011a1d4b277227f8611560b1"
    "e7933fdcbb3a792b344525bda08839e151ce794b2f32c9b7a01fbac9e01cc87ebcc7d1f6cf0111c3a1e8aac7"
    "1a908749d44fbd9ad0dadecbd50ada380339c32ac69136678df9317ce0b12b4ff79e59b743f5bb3af2d519ff"
    "27d9459cbf97222c15e6fc2a0f91fc719b941525fae59361ceb69cebc2a8645912baa8d1b6c1075ee3056a0c"
    "10d25065cb03a442e0ec6e0e1698db3b4c98a0be3278e9649f1f9532e0d392dfd3a0342b8971f21e1b0a7441"
    "4ba3348cc5be7120c37632d8df359f8d9b992f2ee60b6f470fe3f11de54cda541edad891ce6279cfcd3e7e6f"
    "1618b166fd2c1d05848fd2c5f6fb2299f523f357a632762393a8353156cccd02acf081625a75ebb56e163697"
    "88d273ccde96629281b949d04c50901b71c65614e6c6c7bd327a140a45e1d006c3f27b9ac9aa53fd62a80f00"
    "bb25bfe235bdd2f671126905b2040222b6cbcf7ccd769c2b53113ec01640e3d338abbd602547adf0ba38209c"
    "f746ce7677afa1c52075606085cbfe4e8ae88dd87aaaf9b04cf9aa7e1948c25c02fb8a8c01c36ae4d6ebe1f9"
    "90d4f869a65cdea03f09252dc208e69fb74e6132ce77e25b578fdfe33ac372e6";

static uint32_t digit(char c)
{
    return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

PART void load_pi(struct blowfish *b)
{
    const char *at = pi;
    for (uint32_t i = 0; i < N_SUBKEYS + 4 * 256; i++) {
        uint32_t word = 0;
        for (uint32_t j = 0; j < 8; j++)
            word = word << 4 | digit(*at++);
        if (i < N_SUBKEYS)
            b->subkey[i] = word;
        else
            b->box[(i - N_SUBKEYS) / 256][(i - N_SUBKEYS) % 256] = word;
    }
}

static uint32_t mangle(const struct blowfish *b, uint32_t x)
{
    return ((b->box[0][x >> 24] + b->box[1][x >> 16 & 255]) ^ b->box[2][x >> 8 & 255]) +
           b->box[3][x & 255];
}

PART void encrypt(const struct blowfish *b, uint32_t half[2])
{
    uint32_t left = half[0], right = half[1];
    for (uint32_t i = 0; i < N_STEPS; i += 2) {
        left ^= b->subkey[i];
        right ^= mangle(b, left) ^ b->subkey[i + 1];
        left ^= mangle(b, right);
    }
    half[0] = right ^ b->subkey[N_STEPS + 1];
    half[1] = left ^ b->subkey[N_STEPS];
}

PART void decrypt(const struct blowfish *b, uint32_t half[2])
{
    uint32_t left = half[0], right = half[1];
    for (uint32_t i = N_STEPS + 1; i > 1; i -= 2) {
        left ^= b->subkey[i];
        right ^= mangle(b, left) ^ b->subkey[i - 1];
        left ^= mangle(b, right);
    }
    half[0] = right ^ b->subkey[0];
    half[1] = left ^ b->subkey[1];
}

/* The next words of the sequence that starts at zero and encrypts the last result again. */
PART void refill(struct blowfish *b, uint32_t *word, uint32_t n, uint32_t half[2])
{
    for (uint32_t i = 0; i < n; i += 2) {
        encrypt(b, half);
        word[i] = half[0];
        word[i + 1] = half[1];
    }
}

PART void set_key(struct blowfish *b, const uint8_t *key, uint32_t n)
{
    uint32_t half[2] = {0, 0};
    for (uint32_t i = 0, at = 0; i < N_SUBKEYS; i++) {
        uint32_t word = 0;
        for (uint32_t j = 0; j < 4; j++, at = at + 1 < n ? at + 1 : 0)
            word = word << 8 | key[at];
        b->subkey[i] ^= word;
    }
    refill(b, b->subkey, N_SUBKEYS, half);
    for (uint32_t i = 0; i < 4; i++)
        refill(b, b->box[i], 256, half);
}

PART void known(const struct blowfish *fresh)
{
    static const struct {
        uint8_t key[8];
        uint32_t plain[2], cipher[2];
    } vector[] = {
        {{0, 0, 0, 0, 0, 0, 0, 0}, {0, 0}, {0x4ef99745, 0x6198dd78}},
        {{255, 255, 255, 255, 255, 255, 255, 255}, {~0u, ~0u}, {0x51866fd5, 0xb85ecb8a}},
        {{0x30}, {0x10000000, 0x00000001}, {0x7d856f9a, 0x613063f2}},
        {{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef}, {0x11111111, 0x11111111},
         {0x61f9c380, 0x2281b096}},
    };
    for (uint32_t i = 0; i < COUNT(vector); i++) {
        struct blowfish b = *fresh;
        uint32_t half[2] = {vector[i].plain[0], vector[i].plain[1]};
        set_key(&b, vector[i].key, sizeof vector[i].key);
        encrypt(&b, half);
        if (half[0] != vector[i].cipher[0] || half[1] != vector[i].cipher[1])
            workload_wrong("blowfish", "the cipher of a published vector", i);
        decrypt(&b, half);
        if (half[0] != vector[i].plain[0] || half[1] != vector[i].plain[1])
            workload_wrong("blowfish", "the text of a published vector", i);
    }
}

/* Both directions mix in the encrypted word: the output when encrypting, the input backwards. */
PART void feed_back(const struct blowfish *b, uint32_t *text, bool backwards)
{
    uint32_t half[2] = {1, 2};
    for (uint32_t i = 0; i < N_WORDS; i += 2) {
        uint32_t before[2] = {text[i], text[i + 1]};
        encrypt(b, half);
        text[i] ^= half[0];
        text[i + 1] ^= half[1];
        half[0] = backwards ? before[0] : text[i];
        half[1] = backwards ? before[1] : text[i + 1];
    }
}

int main(int argc, char **argv)
{
    static struct blowfish fresh, b;
    static uint32_t text[N_WORDS], again[N_WORDS];
    uint32_t rounds = workload_rounds(argc, argv, 14), seed = 6, sum = 0;
    uint8_t key[16];
    load_pi(&fresh);
    known(&fresh);
    for (uint32_t i = 0; i < N_WORDS; i++)
        text[i] = workload_random(&seed);
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < sizeof key; i++)
            key[i] = (uint8_t)workload_random(&seed);
        b = fresh;
        set_key(&b, key, sizeof key);
        memcpy(again, text, sizeof text);
        feed_back(&b, text, false);
        sum = workload_mix(sum, text[N_WORDS - 1]);
        feed_back(&b, text, true);
        if (memcmp(text, again, sizeof text))
            workload_wrong("blowfish", "decrypted text in round", round);
    }
    return workload_done("blowfish", sum);
}
/* SPDX-License-Identifier: MIT */
