/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations of the functions and types of QEMU's plugin interface that sluice's plugin uses, for
 * all versions of QEMU.
 *
 * Distributions do not ship QEMU's own header. The binary interface changed twice, so the plugin is
 * built once for each SL_QEMU_API:
 *
 *   1   interface 1      QEMU 7.2 to 8.2
 *   2   interfaces 2-6   QEMU 9.0 to 11.0
 *   7   interface 7      QEMU 11.1: every callback has user data, none an id
 *
 * Smaller additions are weak symbols, which are NULL if QEMU does not have them.
 *
 * Functions named qemu_plugin_* are QEMU's and the same in all builds. Where versions differ, use
 * the functions api_*, and define callbacks with the macros API_*_CALLBACK, which declare the
 * function with the parameters of this version of QEMU:
 *
 *   static API_TRANSLATE_CALLBACK(on_translate, tb) { ... tb ... }
 *   api_on_translate(id, on_translate);
 *
 * The two callbacks of the hot path are the same everywhere:
 *
 *   static void on_block(unsigned vcpu, void *udata);
 *   static void on_access(unsigned vcpu, uint32_t info, uint64_t vaddr, void *udata); */
#ifndef SL_TAP_QEMU_API_H
#define SL_TAP_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define API_EXPORT __attribute__((visibility("default")))
#define API_UNUSED __attribute__((unused))

#if SL_QEMU_API == 7
#define API_ID
#define API_UDATA , void *api_udata API_UNUSED
#define API_NO_UDATA , NULL
#elif SL_QEMU_API == 1 || SL_QEMU_API == 2
#define API_ID uint64_t api_id API_UNUSED,
#define API_UDATA
#define API_NO_UDATA
#else
#error "SL_QEMU_API must be 1, 2 or 7"
#endif

struct qemu_plugin_tb;
struct qemu_plugin_insn;

/* A plugin exports its interface version (write API_DECLARE_VERSION once) and
 * qemu_plugin_install(). */
#define API_DECLARE_VERSION API_EXPORT int qemu_plugin_version = SL_QEMU_API

struct qemu_info {
    const char *target_name;
    struct {
        int min, cur; /* interface versions that this QEMU supports */
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus, max_vcpus;
    } system;
};

extern API_EXPORT int qemu_plugin_version;
API_EXPORT int qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc,
                                   char **argv);

/* Callbacks. Each typedef is the type of the functions that the macro after it defines. */
typedef void (*api_vcpu_cb)(API_ID unsigned vcpu API_UDATA);
#define API_VCPU_CALLBACK(name, vcpu) void name(API_ID unsigned vcpu API_UDATA)

typedef void (*api_exit_cb)(API_ID void *udata);
#define API_EXIT_CALLBACK(name, udata) void name(API_ID void *udata)

typedef void (*api_translate_cb)(API_ID struct qemu_plugin_tb *tb API_UDATA);
#define API_TRANSLATE_CALLBACK(name, tb) void name(API_ID struct qemu_plugin_tb *tb API_UDATA)

typedef void (*api_syscall_cb)(API_ID unsigned vcpu, int64_t number, uint64_t, uint64_t, uint64_t,
                               uint64_t, uint64_t, uint64_t, uint64_t, uint64_t API_UDATA);
#define API_SYSCALL_CALLBACK(name, vcpu, number, a1, a2, a3, a4, a5, a6)                   \
    void name(API_ID unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2, uint64_t a3, \
              uint64_t a4, uint64_t a5, uint64_t a6, uint64_t api_a7 API_UNUSED,           \
              uint64_t api_a8 API_UNUSED API_UDATA)

typedef void (*api_syscall_ret_cb)(API_ID unsigned vcpu, int64_t number, int64_t result API_UDATA);
#define API_SYSCALL_RET_CALLBACK(name, vcpu, number, result) \
    void name(API_ID unsigned vcpu, int64_t number, int64_t result API_UDATA)

typedef void (*api_exec_cb)(unsigned vcpu, void *udata);
typedef void (*api_access_cb)(unsigned vcpu, uint32_t info, uint64_t vaddr, void *udata);

enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
enum qemu_plugin_mem_rw { QEMU_PLUGIN_MEM_R = 1, QEMU_PLUGIN_MEM_RW = 3 };

#if SL_QEMU_API == 7
void qemu_plugin_register_vcpu_init_cb(uint64_t id, api_vcpu_cb cb, void *udata);
void qemu_plugin_register_vcpu_exit_cb(uint64_t id, api_vcpu_cb cb, void *udata);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, api_translate_cb cb, void *udata);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, api_syscall_cb cb, void *udata);
void qemu_plugin_register_vcpu_syscall_ret_cb(uint64_t id, api_syscall_ret_cb cb, void *udata);
#else
void qemu_plugin_register_vcpu_init_cb(uint64_t id, api_vcpu_cb cb);
void qemu_plugin_register_vcpu_exit_cb(uint64_t id, api_vcpu_cb cb);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, api_translate_cb cb);
void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, api_syscall_cb cb);
void qemu_plugin_register_vcpu_syscall_ret_cb(uint64_t id, api_syscall_ret_cb cb);
#endif
void qemu_plugin_register_atexit_cb(uint64_t id, api_exit_cb cb, void *udata);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, api_exec_cb cb,
                                          enum qemu_plugin_cb_flags flags, void *udata);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, api_exec_cb cb,
                                            enum qemu_plugin_cb_flags flags, void *udata);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, api_access_cb cb,
                                      enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
                                      void *udata);

/* Blocks and instructions, valid during a translation callback only. */
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *insn);

/* Properties of a memory access; `info` is the argument of the callback. */
unsigned qemu_plugin_mem_size_shift(uint32_t info);
bool qemu_plugin_mem_is_big_endian(uint32_t info);
bool qemu_plugin_mem_is_store(uint32_t info);

/* Path of the guest's program, to be freed with g_free(), or NULL. Only in user mode. */
const char *qemu_plugin_path_to_binary(void);
uint64_t qemu_plugin_start_code(void);

static inline void api_on_vcpu_init(uint64_t id, api_vcpu_cb cb)
{
    qemu_plugin_register_vcpu_init_cb(id, cb API_NO_UDATA);
}

static inline void api_on_vcpu_exit(uint64_t id, api_vcpu_cb cb)
{
    qemu_plugin_register_vcpu_exit_cb(id, cb API_NO_UDATA);
}

static inline void api_on_exit(uint64_t id, api_exit_cb cb, void *udata)
{
    qemu_plugin_register_atexit_cb(id, cb, udata);
}

static inline void api_on_translate(uint64_t id, api_translate_cb cb)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, cb API_NO_UDATA);
}

static inline void api_on_syscall(uint64_t id, api_syscall_cb cb)
{
    qemu_plugin_register_vcpu_syscall_cb(id, cb API_NO_UDATA);
}

static inline void api_on_syscall_ret(uint64_t id, api_syscall_ret_cb cb)
{
    qemu_plugin_register_vcpu_syscall_ret_cb(id, cb API_NO_UDATA);
}

static inline void api_on_block(struct qemu_plugin_tb *tb, api_exec_cb cb, void *udata)
{
    qemu_plugin_register_vcpu_tb_exec_cb(tb, cb, QEMU_PLUGIN_CB_NO_REGS, udata);
}

static inline void api_on_insn(struct qemu_plugin_insn *insn, api_exec_cb cb, void *udata)
{
    qemu_plugin_register_vcpu_insn_exec_cb(insn, cb, QEMU_PLUGIN_CB_NO_REGS, udata);
}

static inline void api_on_accesses(struct qemu_plugin_insn *insn, api_access_cb cb, void *udata)
{
    qemu_plugin_register_vcpu_mem_cb(insn, cb, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, udata);
}

/* A function that exists since interface 3 (QEMU 9.1), to detect that interface. */
__attribute__((weak)) void qemu_plugin_register_vcpu_tb_exec_cond_cb(void);

static inline bool api_since_3(void)
{
    return &qemu_plugin_register_vcpu_tb_exec_cond_cb != NULL;
}

/* Calls `cb` for the loads of an instruction. Up to QEMU 9.0, a callback for loads alone is never
 * called, so it is registered for stores, too. The callback must check the kind of access. */
static inline void api_on_loads(struct qemu_plugin_insn *insn, api_access_cb cb, void *udata)
{
    qemu_plugin_register_vcpu_mem_cb(insn, cb, QEMU_PLUGIN_CB_NO_REGS,
                                     api_since_3() ? QEMU_PLUGIN_MEM_R : QEMU_PLUGIN_MEM_RW, udata);
}

/* Copies up to `capacity` bytes of the instruction, as they are in guest memory, to `out`. Returns
 * the number of bytes. */
const void *api_insn_data_1(const struct qemu_plugin_insn *insn) __asm__("qemu_plugin_insn_data");
size_t api_insn_data_3(const struct qemu_plugin_insn *insn, void *out,
                       size_t capacity) __asm__("qemu_plugin_insn_data");

static inline size_t api_insn_bytes(const struct qemu_plugin_insn *insn, void *out, size_t capacity)
{
    if (api_since_3())
        return api_insn_data_3(insn, out, capacity);
    size_t size = qemu_plugin_insn_size(insn);
    size = size < capacity ? size : capacity;
    memcpy(out, api_insn_data_1(insn), size);
    return size;
}

/* Since interface 4 (QEMU 9.2), QEMU passes the accessed value, in the host's byte order. Before
 * that, the tap reads it from guest memory. */
struct qemu_plugin_mem_value {
    unsigned type; /* log2 of the size */
    union {
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        struct {
            uint64_t low, high;
        } u128;
    } data;
};

__attribute__((weak)) struct qemu_plugin_mem_value qemu_plugin_mem_get_value(uint32_t info);

static inline bool api_has_values(void)
{
    return SL_QEMU_API >= 2 && &qemu_plugin_mem_get_value != NULL;
}

/* The low 8 bytes of the accessed value, zero-extended. Requires api_has_values(). */
static inline uint64_t api_access_value(uint32_t info)
{
    struct qemu_plugin_mem_value value = qemu_plugin_mem_get_value(info);
    switch (value.type) {
    case 0:
        return value.data.u8;
    case 1:
        return value.data.u16;
    case 2:
        return value.data.u32;
    default:
        return value.data.u64;
    }
}

#endif
