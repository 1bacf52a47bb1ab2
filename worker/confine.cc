#include "worker/confine.h"

#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace kernelbench::worker {

namespace {

[[noreturn]] void give_up(const char* step) {
  std::fprintf(stderr, "kernelbench-worker: %s: %s\n", step, std::strerror(errno));
  ::_exit(125);
}

void limit(__rlimit_resource resource, rlim_t value) {
  rlimit current{};
  ::getrlimit(resource, &current);
  const rlim_t bounded = current.rlim_max == RLIM_INFINITY ? value : std::min(value, current.rlim_max);
  const rlimit wanted{bounded, bounded};
  if (::setrlimit(resource, &wanted) != 0) {
    give_up("setrlimit");
  }
}

void drop_capabilities() {
  for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
    ::prctl(PR_CAPBSET_DROP, capability); // refused without CAP_SETPCAP; then there is nothing to drop either
  }
  ::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  if (::syscall(SYS_capset, &header, none) != 0) {
    give_up("capset");
  }
}

// Everything that candidates have no use for and that has been a way out of sandboxes before.
constexpr int refused_calls[] = {
    SCMP_SYS(ptrace),        SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(perf_event_open),
    SCMP_SYS(bpf),           SCMP_SYS(mount),            SCMP_SYS(umount2),           SCMP_SYS(pivot_root),
    SCMP_SYS(chroot),        SCMP_SYS(move_mount),       SCMP_SYS(open_tree),         SCMP_SYS(fsopen),
    SCMP_SYS(fsmount),       SCMP_SYS(fsconfig),         SCMP_SYS(mount_setattr),     SCMP_SYS(unshare),
    SCMP_SYS(setns),         SCMP_SYS(keyctl),           SCMP_SYS(add_key),           SCMP_SYS(request_key),
    SCMP_SYS(userfaultfd),   SCMP_SYS(kexec_load),       SCMP_SYS(kexec_file_load),   SCMP_SYS(init_module),
    SCMP_SYS(finit_module),  SCMP_SYS(delete_module),    SCMP_SYS(reboot),            SCMP_SYS(swapon),
    SCMP_SYS(swapoff),       SCMP_SYS(acct),             SCMP_SYS(settimeofday),      SCMP_SYS(clock_settime),
    SCMP_SYS(clock_adjtime), SCMP_SYS(adjtimex),         SCMP_SYS(open_by_handle_at), SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter), SCMP_SYS(io_uring_register), SCMP_SYS(pidfd_getfd),     SCMP_SYS(kcmp),
    SCMP_SYS(quotactl),      SCMP_SYS(fanotify_init),    SCMP_SYS(personality)};

void filter_system_calls() {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (filter == nullptr) {
    give_up("seccomp");
  }
  bool ok = true;
  for (const int call : refused_calls) {
    ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0) == 0;
  }
  // clone3 hides its flags behind a pointer; with ENOSYS the C library falls back to clone, whose flags can be checked.
  ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;
  for (const unsigned long flag : {0x10000000UL /* user */, 0x00020000UL /* mount */, 0x20000000UL /* pid */,
                                   0x40000000UL /* net */, 0x08000000UL /* ipc */, 0x02000000UL /* cgroup */}) {
    ok = ok && seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                SCMP_A0(SCMP_CMP_MASKED_EQ, flag, flag)) == 0;
  }
  if (!ok || seccomp_load(filter) != 0) {
    give_up("seccomp");
  }
  seccomp_release(filter);
}

} // namespace

void confine(const protocol::Spawn& request, bool namespaces) {
  limit(RLIMIT_CORE, 0);
  if (request.memory_bytes > 0) {
    // Private writable memory: what CUDA reserves without touching, and shared buffers, do not count.
    limit(RLIMIT_DATA, static_cast<rlim_t>(request.memory_bytes));
  }
  if (request.disk_bytes > 0) {
    limit(RLIMIT_FSIZE, static_cast<rlim_t>(request.disk_bytes));
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    give_up("no_new_privs");
  }
  if (namespaces) {
    drop_capabilities();
  }
  filter_system_calls();
}

} // namespace kernelbench::worker
