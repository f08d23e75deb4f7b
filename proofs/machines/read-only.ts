import { spawnSync } from 'node:child_process'

/**
 * A command to run a service in, with mounts of its own, so that it can write neither to this checkout nor to `folder`. The
 * command fails unless both are read-only.
 */
export function readOnlyIn(folder: string): string[] {
  const isRoot = process.getuid?.() === 0
  const script = [
    'folder=$1; shift',
    'mount --bind "$folder" "$folder"',
    'mount -o remount,bind,ro "$folder"',
    'mount -o remount,bind,ro /',
    '! touch "$folder/written" package.json 2>/dev/null',
    'exec "$@"',
  ].join(' && ')
  const mounts = ['--mount', '--propagation', 'private']
  return [
    'unshare',
    ...(isRoot ? [] : ['--user', '--map-root-user']),
    ...mounts,
    'sh',
    '-c',
    script,
    'sh',
    folder,
  ]
}

/** Why nothing can be made read-only here; null where it can. */
export function whyNotReadOnly(folder: string): string | null {
  const { status, stderr, error } = spawnSync('env', [...readOnlyIn(folder), 'true'], { encoding: 'utf8' })
  return status === 0 ? null : (error?.message ?? (stderr.trim() || `exit code ${String(status)}`))
}
