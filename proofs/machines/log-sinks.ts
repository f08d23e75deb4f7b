import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { mountSmallDisk } from './small-disk.ts'

/** Where a service writes its log, and how it comes that it can't. */
export interface LogSink {
  words: string
  /** For the service, which has it alone from then on. */
  descriptor: number
  /** From here on nothing more is taken. */
  obstruct: () => Promise<void>
  /** Takes lines again; null where that can't be. */
  restore: (() => void) | null
  /** What has come out. */
  text: () => string
  close: () => void
}

/** A log file on a disk of its own, which is filled; where none can be mounted, a device that is always full. */
export function fullDiskSink(folder: string): LogSink {
  const place = join(folder, 'log-disk')
  const disk = mountSmallDisk(place, 2)
  const file = disk === null ? '/dev/full' : join(place, 'log')
  return {
    words: disk === null ? 'a full device' : 'a full disk',
    descriptor: openSync(file, 'a'),
    obstruct: async () => disk?.fill(),
    restore: disk === null ? null : disk.makeRoom,
    text: () => (disk === null ? '' : readFileSync(file, 'utf8')),
    close: () => disk?.unmount(),
  }
}

/** A pipe whose reader stops reading or, `isClosed`, goes away. */
export function pipeSink(folder: string, isClosed: boolean): LogSink {
  const path = join(folder, isClosed ? 'closed-pipe' : 'unread-pipe')
  execFileSync('mkfifo', [path])
  const openReading = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  let reading = openReading()
  const descriptor = openSync(path, constants.O_WRONLY)
  const bytes = Buffer.alloc(65_536)
  let text = ''
  const read = () => {
    try {
      for (let got = 1; got > 0;) {
        got = readSync(reading, bytes)
        text += bytes.toString('utf8', 0, got)
      }
    } catch {
      // Nothing more for now.
    }
  }
  let timer = setInterval(read, 20)
  return {
    words: isClosed ? 'a closed pipe' : 'a pipe that nobody reads',
    descriptor,
    obstruct() {
      clearInterval(timer)
      if (isClosed) closeSync(reading)
      return Promise.resolve()
    },
    restore() {
      if (isClosed) reading = openReading()
      timer = setInterval(read, 20)
    },
    text: () => text,
    close: () => clearInterval(timer),
  }
}
