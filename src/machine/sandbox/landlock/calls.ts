// Calls of the kernel that are refused or looked at, by the numbers that the two processors have for them; -1 where one has none.

type Numbers = readonly [x64: number, arm64: number];

export const errors = { notPermitted: 1, denied: 13, unknown: 38, unsupported: 95, noFamily: 97 } as const;

/** Calls that are refused whatever they are given, with the numbers that the two processors have for them. */
export const refused: Record<number, Record<string, Numbers>> = {
  [errors.notPermitted]: {
    ptrace: [101, 117],
    process_vm_readv: [310, 270],
    process_vm_writev: [311, 271],
    process_madvise: [440, 440],
    process_mrelease: [448, 448],
    pidfd_getfd: [438, 438],
    kcmp: [312, 272],
    keyctl: [250, 219],
    add_key: [248, 217],
    request_key: [249, 218],
    mount: [165, 40],
    umount2: [166, 39],
    pivot_root: [155, 41],
    chroot: [161, 51],
    open_tree: [428, 428],
    open_tree_attr: [467, 467],
    move_mount: [429, 429],
    fsopen: [430, 430],
    fsconfig: [431, 431],
    fsmount: [432, 432],
    fspick: [433, 433],
    mount_setattr: [442, 442],
    setns: [308, 268],
    bpf: [321, 280],
    perf_event_open: [298, 241],
    kexec_load: [246, 104],
    kexec_file_load: [320, 294],
    init_module: [175, 105],
    finit_module: [313, 273],
    delete_module: [176, 106],
    userfaultfd: [323, 282],
    name_to_handle_at: [303, 264],
    open_by_handle_at: [304, 265],
    syslog: [103, 116],
    sethostname: [170, 161],
    setdomainname: [171, 162],
    settimeofday: [164, 170],
    clock_settime: [227, 112],
    adjtimex: [159, 171],
    clock_adjtime: [305, 266],
    reboot: [169, 142],
    swapon: [167, 224],
    swapoff: [168, 225],
    quotactl: [179, 60],
    quotactl_fd: [443, 443],
    acct: [163, 89],
    iopl: [172, -1],
    ioperm: [173, -1],
    vhangup: [153, 58],
    fanotify_init: [300, 262],
    migrate_pages: [256, 238],
    move_pages: [279, 239],
    shmget: [29, 194],
    shmat: [30, 196],
    msgget: [68, 186],
    semget: [64, 190],
    mq_open: [240, 180],
    mq_unlink: [241, 181],
  },
  // Programs do without these where a kernel does not know them.
  [errors.unknown]: {
    io_uring_setup: [425, 425],
    io_uring_enter: [426, 426],
    io_uring_register: [427, 427],
    pidfd_open: [434, 434],
    clone3: [435, 435],
  },
  // Neither are these watched over, and programs do without.
  [errors.unsupported]: {
    setxattr: [188, 5],
    lsetxattr: [189, 6],
    fsetxattr: [190, 7],
    setxattrat: [463, 463],
    removexattr: [197, 14],
    lremovexattr: [198, 15],
    fremovexattr: [199, 16],
    removexattrat: [466, 466],
    file_setattr: [469, 469],
  },
};

/** Permissions, owners and times of files are none of the things that Landlock watches over: whoever stands beside looks at each. */
export const told: readonly Numbers[] = [
  [90, -1],
  [91, 52],
  [268, 53],
  [452, 452],
  [92, -1],
  [93, 55],
  [94, -1],
  [260, 54],
  [280, 88],
];

/** What came before `utimensat`: programs that still use it are told that there is none. */
export const older: readonly Numbers[] = [
  [132, -1],
  [235, -1],
  [261, -1],
];

export const looked = {
  open: [2, -1],
  openat: [257, 56],
  socket: [41, 198],
  socketpair: [53, 199],
  connect: [42, 203],
  sendto: [44, 206],
  sendmsg: [46, 211],
  sendmmsg: [307, 269],
  clone: [56, 220],
  unshare: [272, 97],
  ioctl: [16, 29],
  fcntl: [72, 25],
  setpriority: [141, 140],
  ioprio_set: [251, 30],
  prlimit64: [302, 261],
} as const;

/** Where Landlock does not know of it: cutting a file off by its name, and opening one in ways that cannot be looked at. */
export const cutting: readonly Numbers[] = [
  [76, 45],
  [437, 437],
];

/** Signals, where Landlock does not know whom they may go to: whoever stands beside looks at each. */
export const signals: readonly Numbers[] = [
  [62, 129],
  [200, 130],
  [234, 131],
  [129, 138],
  [297, 240],
];
