import { describe, expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { callLoosely, loadedWidget, makeWidget, TOKEN, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()
const isSubmit = (command: unknown) => JSON.stringify(command) === '{"command":"submit"}'
const finish = { event: 'finish', payment_source: TOKEN }
const systemError = { event: 'systemError', error: { code: 'timed_out', message: 'Slow.', retryable: true } }
const refused = {
  event: 'validationError',
  error: { code: 'validation_error', message: 'Check the number.', details: [] },
  invalid_fields: ['card_number'],
}

describe('submit', () => {
  it('tells the form, and settles with the finish event', async () => {
    const { widget, frame } = await loadedWidget()
    const finished = widget.submit()
    expect(widget.submit()).toBe(finished)
    frame.emit(finish)
    await expect(finished).resolves.toMatchObject(finish)
    await vi.waitFor(() => expect(frame.commands).toContainEqual({ command: 'submit' }))
  })

  it('of a double press belongs to the first, until the page is done and a moment after', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let done: (isDone: boolean) => void = () => undefined
    const { widget, frame } = await loadedWidget((one) =>
      one.on('finish', () => new Promise<boolean>((resolve) => (done = resolve))),
    )
    for (const isDone of [true, false]) {
      const finished = widget.submit()
      frame.emit(finish)
      await finished
      expect(widget.submit()).toBe(finished)
      done(isDone)
      await frame.heardBy(widget)
      expect(widget.submit() === finished).toBe(isDone)
      vi.advanceTimersByTime(500)
      const next = widget.submit()
      expect(next).not.toBe(finished)
      frame.emit(refused)
      await expect(next).rejects.toThrow()
    }
    vi.useRealTimers()
    await vi.waitFor(() => expect(frame.commands.filter(isSubmit)).toHaveLength(5))
  })

  it.each([
    ['a refused card', refused, { code: 'validation_error', event: { invalid_fields: ['card_number'] } }],
    ['a fault', systemError, { code: 'timed_out', retryable: true }],
  ])('rejects on %s, and the next one is a new one', async (_, event, error) => {
    const { widget, frame } = await loadedWidget()
    const first = widget.submit()
    frame.emit(event)
    await expect(first).rejects.toMatchObject({ name: 'WidgetError', ...error })
    const second = widget.submit()
    frame.emit(finish)
    await expect(second).resolves.toMatchObject(finish)
  })

  it('refused, takes who is still at the page’s button to the fault, and nobody who has gone on', async () => {
    const { widget, frame } = await loadedWidget()
    const [button, other] = [document.createElement('button'), document.createElement('input')]
    document.body.append(button, other)
    for (const now of [button, other]) {
      button.focus()
      const finished = widget.submit()
      now.focus()
      frame.emit(refused)
      await expect(finished).rejects.toThrow()
    }
    await vi.waitFor(() => expect(frame.commands.filter(isSubmit)).toHaveLength(2))
    expect(frame.commands.filter((command) => !isSubmit(command))).toEqual([{ command: 'focus' }])
  })

  it('without a form is a fault that the page hears of too', async () => {
    const widget = makeWidget()
    const told = widget.on('systemError')
    await expect(widget.submit()).rejects.toMatchObject({ code: 'form_not_loaded' })
    await expect(told).resolves.toMatchObject({ error: { code: 'form_not_loaded' } })
  })

  it('of a form that the page has removed says so, until it is loaded again', async () => {
    const { widget } = await loadedWidget()
    const container = document.querySelector('#card')
    container?.remove()
    await expect(widget.submit()).rejects.toMatchObject({ code: 'form_not_in_page' })
    document.body.append(Object.assign(document.createElement('div'), { id: 'card' }))
    const loaded = widget.load()
    new FakeFrame().load().emit({ event: 'afterLoad' })
    await loaded
    const finished = widget.submit()
    widget.destroy()
    await expect(finished).rejects.toMatchObject({ code: 'widget_destroyed' })
    await expect(widget.submit()).rejects.toMatchObject({ code: 'widget_destroyed' })
  })

  it('of a form that could not be loaded says why', async () => {
    const widget = makeWidget('#card', 'sk_sandbox_1').on('systemError', () => undefined)
    await widget.load().catch(() => undefined)
    await expect(widget.submit()).rejects.toMatchObject({ code: 'secret_key' })
  })

  it.each(['destroy', 'reload'] as const)('under way ends with %s', async (end) => {
    const { widget } = await loadedWidget()
    const finished = widget.submit()
    void widget[end]()
    await expect(finished).rejects.toMatchObject({ name: 'WidgetError' })
  })

  it('ends when the form came anew and knows nothing of it', async () => {
    const { widget, frame } = await loadedWidget()
    const finished = widget.submit()
    frame.load().emit({ event: 'afterLoad' })
    await expect(finished).rejects.toMatchObject({ code: 'form_not_loaded' })
  })
})

describe('the other commands', () => {
  it.each([
    ['trigger', ['submit_form'], { command: 'submit' }],
    ['focus', [], { command: 'focus' }],
    ['focus', ['card_ccv'], { command: 'focus', field: 'card_ccv' }],
    ['clear', [], { command: 'clear' }],
  ] as const)('%s(%j) chains, and the form is told', async (method, given, command) => {
    const { widget, frame } = await loadedWidget()
    expect(callLoosely(widget, method, ...given)).toBe(widget)
    await vi.waitFor(() => expect(frame.commands).toEqual([command]))
  })

  it('trigger throws at once on a name that is none', () => {
    expect(() => callLoosely(makeWidget(), 'trigger', 'submit')).toThrow(
      /Unknown trigger "submit".*submit_form/,
    )
  })

  it('hide and show keep the form, with or without its place', async () => {
    const { widget, frame } = await loadedWidget()
    const { style } = frame.element
    expect(widget.hide()).toBe(widget)
    expect(style.display).toBe('none')
    widget.hide(true)
    expect([style.display, style.visibility]).toEqual(['block', 'hidden'])
    widget.show()
    expect([style.display, style.visibility]).toEqual(['block', 'visible'])
  })

  it('hide holds for a form that comes later', async () => {
    const { frame } = await loadedWidget((widget) => widget.hide())
    expect(frame.element.style.display).toBe('none')
  })
})

describe('what the widget knows of validity', () => {
  const validation = {
    event: 'validation',
    form_valid: false,
    invalid_fields: ['card_number', 'card_ccv'],
    invalid_showed_fields: ['card_number'],
    validators: { required: ['card_ccv'], cardNumberValidator: ['card_number'], expireDateValidation: [] },
  } as const

  it('is the last validation event', async () => {
    const { widget, frame } = await loadedWidget()
    expect([widget.isValidForm(), widget.getValidationState().invalid_fields]).toEqual([false, []])
    frame.emit(validation)
    await frame.heardBy(widget)
    expect(widget.getValidationState()).toMatchObject(validation)
    expect(widget.isInvalidField('card_ccv')).toBe(true)
    expect(widget.isInvalidField('card_name')).toBe(false)
    expect(widget.isFieldErrorShowed('card_number')).toBe(true)
    expect(widget.isFieldErrorShowed('card_ccv')).toBe(false)
    expect(widget.isInvalidFieldByValidator('card_ccv', 'required')).toBe(true)
    expect(widget.isInvalidFieldByValidator('card_ccv', 'cardNumberValidator')).toBe(false)
    frame.emit({ ...validation, form_valid: true })
    await frame.heardBy(widget)
    expect(widget.isValidForm()).toBe(true)
    void widget.reload()
    expect(widget.isValidForm()).toBe(false)
  })
})
