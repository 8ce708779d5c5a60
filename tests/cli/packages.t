#!/bin/sh
# SPDX-License-Identifier: MIT
# mk/install-packages.sh installs missing packages and waits, for a limited time, while another
# apt-get holds the lock.
. "$(dirname "$0")/../lib.sh"

# Stand-ins: nothing is installed, and the lock is free when "$T/free" is. sleep counts and, on request, frees it.
mkdir bin
cat >bin/dpkg-query <<'END'
#!/bin/sh
exit 1
END
cat >bin/sudo <<'END'
#!/bin/sh
exec "$@"
END
cat >bin/apt-get <<'END'
#!/bin/sh
echo "$1" >>"$TMPDIR/calls"
[ ! -e "$TMPDIR/broken" ] || { echo 'E: Unable to locate package nowhere' >&2; exit 100; }
[ -e "$TMPDIR/free" ] && exit
echo 'E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)' >&2
exit 100
END
cat >bin/sleep <<'END'
#!/bin/sh
echo slept >>"$TMPDIR/sleeps"
[ ! -e "$TMPDIR/frees" ] || [ "$(wc -l <"$TMPDIR/sleeps")" -lt 3 ] || touch "$TMPDIR/free"
END
chmod +x bin/*
install() { rm -f calls sleeps; PATH=$T/bin:$PATH sh "$root/mk/install-packages.sh" nowhere >out 2>err; }
lines() { wc -l <"$1" 2>/dev/null || echo 0; }

touch free
install
is 'what is missing is installed' "$? $(cat calls | tr '\n' ' ')" '0 update install '
rm free; touch frees
install
is 'a lock that is held is waited for' "$? $(lines sleeps) $(grep -c waiting out)" '0 3 1'
rm free frees
install
is 'but only for two minutes' "$? $(lines sleeps)" '1 120'
like 'and then the message names the process that holds it' "$(cat err)" '*held by process 1*cannot install: nowhere*'
touch broken
install
is 'another failure is one at once' "$? $([ -e sleeps ] || echo none)" '1 none'
finish
