// The systems that packages are made for, as npm, Debian and people call them.

/** By the name that targets and files carry. */
export const SYSTEMS = {
  'linux-x64': { os: 'linux', cpu: 'x64', libc: 'glibc', debian: 'amd64', node: 'bin/node', format: 'ELF' },
  'linux-arm64': { os: 'linux', cpu: 'arm64', libc: 'glibc', debian: 'arm64', node: 'bin/node', format: 'ELF' },
  'windows-x64': { os: 'win32', cpu: 'x64', node: 'bin/node.exe', format: 'PE' },
};
