import { describe, expect, it, vi } from 'vitest'
import { createAfterClick } from './after-click.ts'

describe('what leaving a field shows', () => {
  it('does not wait for a button that a menu has taken', () => {
    vi.useFakeTimers()
    const afterClick = createAfterClick(document)
    const work = vi.fn()
    document.dispatchEvent(new MouseEvent('mousedown', { button: 2 }))
    document.dispatchEvent(new MouseEvent('contextmenu', { button: 2 }))
    vi.runAllTimers()
    afterClick(work)
    expect(work).toHaveBeenCalledOnce()
    vi.useRealTimers()
  })

  it('is shown at once when no button is held', () => {
    const work = vi.fn()
    createAfterClick(document)(work)
    expect(work).toHaveBeenCalledOnce()
  })

  it('waits, while a button is held, until after the click', () => {
    vi.useFakeTimers()
    const afterClick = createAfterClick(document)
    const work = vi.fn()
    document.dispatchEvent(new MouseEvent('mousedown'))
    afterClick(work)
    document.dispatchEvent(new MouseEvent('mouseup'))
    document.dispatchEvent(new MouseEvent('click'))
    expect(work).not.toHaveBeenCalled()
    vi.runAllTimers()
    expect(work).toHaveBeenCalledOnce()
    afterClick(work)
    expect(work).toHaveBeenCalledTimes(2)
    vi.useRealTimers()
  })
})
