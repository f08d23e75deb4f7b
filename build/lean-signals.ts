type Effect = () => void

/** The effect that runs, with the watchers of what it has read. */
let running: { effect: Effect; read: Set<Set<Effect>> } | null = null
let depth = 0
const due = new Set<Effect>()

/**
 * `@preact/signals` as far as the form uses it: values, batches, and effects that are never disposed of. The package's
 * computed values can’t be shaken off it; all of it costs the document 1.2 kB.
 */
export function signal<T>(first: T): { value: T } {
  let now = first
  const watchers = new Set<Effect>()
  return {
    get value() {
      if (running !== null) {
        watchers.add(running.effect)
        running.read.add(watchers)
      }
      return now
    },
    set value(next) {
      if (next === now) return
      now = next
      batch(() => {
        for (const watcher of watchers) due.add(watcher)
      })
    },
  }
}

/** Does work at once, and again after each batch that changed what it read. */
export function effect(work: () => void): void {
  const read = new Set<Set<Effect>>()
  const run = () =>
    batch(() => {
      for (const watchers of read) watchers.delete(run)
      read.clear()
      const before = running
      running = { effect: run, read }
      try {
        work()
      } finally {
        running = before
      }
    })
  run()
}

/** Lets effects wait until work is done, so that they see all of its changes and none between. */
export function batch<T>(work: () => T): T {
  depth += 1
  try {
    return work()
  } finally {
    try {
      if (depth === 1) settle()
    } finally {
      depth -= 1
    }
  }
}

/** An effect that fails keeps no other from running; what effects change is settled, too. */
function settle(): void {
  for (const next of due) {
    due.delete(next)
    try {
      next()
    } finally {
      settle()
    }
  }
}
