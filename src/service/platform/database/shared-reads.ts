interface Reading<Value> {
  running: Promise<Value>
  /** Begins when `running` ends; whoever asks in the meantime shares it. */
  next?: Promise<Value>
}

/**
 * One read at a time for each name, shared by all who asked before it began. So no answer is older than its question, and a
 * thousand questions at once cost two reads.
 */
export function createSharedReads<Value>(
  read: (name: string) => Promise<Value>,
): (name: string) => Promise<Value> {
  const readings = new Map<string, Reading<Value>>()
  const start = (name: string): Promise<Value> => {
    const running = read(name)
    const reading = { running }
    readings.set(name, reading)
    const end = () => {
      if (readings.get(name) === reading && !('next' in reading)) readings.delete(name)
    }
    running.then(end, end)
    return running
  }
  return (name) => {
    const reading = readings.get(name)
    if (reading === undefined) return start(name)
    const again = () => start(name)
    reading.next ??= reading.running.then(again, again)
    return reading.next
  }
}
