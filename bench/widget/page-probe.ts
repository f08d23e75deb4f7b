declare global {
  interface Window {
    /** Tells the bench of something that just happened, at a time since 1970 in ms. */
    benchTell: (mark: string, at: number) => Promise<void>
    /** How long each key press took to be seen, in ms. */
    benchStrokes: number[]
    /** How much of the page has moved without a person's doing: Cumulative Layout Shift. */
    benchShift: number
  }
  /** Layout Instability API, which TypeScript's library lacks. */
  interface LayoutShift extends PerformanceEntry {
    value: number
    hadRecentInput: boolean
  }
}

/**
 * Runs in every document of a measured page before its own scripts. In the page it adds up layout shifts. In the frame it checks in each
 * animation frame whether the card number can be typed, and times each key press from the event to the paint after it.
 */
export function probePage(): void {
  if (window.top === window) {
    window.benchShift = 0
    const isShift = (entry: PerformanceEntry): entry is LayoutShift => entry.entryType === 'layout-shift'
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries().filter(isShift))
        if (!shift.hadRecentInput) window.benchShift += shift.value
    }).observe({ type: 'layout-shift', buffered: true })
    return
  }
  const strokes: number[] = (window.benchStrokes = [])
  const seek = () => {
    const field = document.querySelector<HTMLInputElement>('input[autocomplete=cc-number]')
    const usable = field?.checkVisibility({ visibilityProperty: true }) && !field.disabled && !field.readOnly
    if (usable) void window.benchTell('usable', performance.timeOrigin + performance.now())
    else requestAnimationFrame(seek)
  }
  seek()
  const timeStroke = ({ timeStamp }: KeyboardEvent) =>
    requestAnimationFrame(() => {
      // The message is handled after the paint of this animation frame.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => strokes.push(performance.now() - timeStamp)
      port2.postMessage(0)
    })
  addEventListener('keydown', timeStroke, true)
}
