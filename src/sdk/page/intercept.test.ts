import { describe, expect, it, vi } from 'vitest'
import { callLoosely, loadedWidget, makeWidget, TOKEN, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()
const finish = { event: 'finish', payment_source: TOKEN }
const systemError = { event: 'systemError', error: { code: 'timed_out', message: 'Slow.', retryable: true } }

/** A shop's form with two buttons and a handler of its own, tied to a widget. */
async function shop(before: (form: HTMLFormElement) => void = () => undefined) {
  const form = document.querySelector('form') ?? document.createElement('form')
  form.innerHTML = '<input name="payment_source"><button id="pay">Pay</button><button id="gift">Gift</button>'
  before(form)
  const sent = vi.fn((event: SubmitEvent) => {
    event.preventDefault()
    return [event.submitter?.id, form.querySelector('input')?.value]
  })
  const { widget, frame } = await loadedWidget((widget) =>
    widget.interceptSubmitForm('form').onFinishInsert('input', 'payment_source'),
  )
  form.addEventListener('submit', sent)
  const press = (id: string) => form.querySelector<HTMLButtonElement>(`#${id}`)?.click()
  return { widget, frame, form, sent, press }
}

describe('interceptSubmitForm', () => {
  it('hides the widget’s button', async () => {
    const { frame } = await shop()
    expect(frame.greeting.welcome.settings.hidden).toEqual(['submit_button'])
  })

  it('called again, as by a page that renders itself anew, changes nothing', async () => {
    const { widget, frame, sent, press } = await shop()
    widget.interceptSubmitForm('form')
    press('pay')
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(sent).toHaveBeenCalledOnce()
  })

  it('holds the form, submits the card, then lets the form go on once, by the pressed button', async () => {
    const { widget, frame, sent, press } = await shop()
    press('gift')
    expect(sent).not.toHaveBeenCalled()
    await vi.waitFor(() => expect(frame.commands).toEqual([{ command: 'submit' }]))
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(sent.mock.results).toEqual([{ type: 'return', value: ['gift', TOKEN] }])
  })

  it('goes by the page’s own validation at that moment', async () => {
    const { widget, frame, form, press } = await shop()
    const goOn = vi.spyOn(HTMLFormElement.prototype, 'requestSubmit')
    press('pay')
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(goOn).toHaveBeenLastCalledWith(form.querySelector('#pay'))
  })

  it('a fault leaves the form usable: the next submit is another try', async () => {
    const { widget, frame, sent, press } = await shop()
    press('pay')
    frame.emit(systemError)
    await frame.heardBy(widget)
    expect(sent).not.toHaveBeenCalled()
    press('pay')
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(sent).toHaveBeenCalledOnce()
    const settled = { command: 'settle', is_done: true }
    await vi.waitFor(() =>
      expect(frame.commands).toEqual([{ command: 'submit' }, { command: 'submit' }, settled]),
    )
  })

  it('a button that is gone by then does not stop the form', async () => {
    const { widget, frame, form, sent, press } = await shop()
    press('gift')
    form.querySelector('#gift')?.remove()
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(sent).toHaveBeenCalledOnce()
  })

  it('a button that stands outside of the form is its button, too', async () => {
    const { widget, frame, form, sent } = await shop()
    form.id = 'order'
    form.insertAdjacentHTML('afterend', '<button id="outside" form="order">Pay</button>')
    document.querySelector<HTMLButtonElement>('#outside')?.click()
    frame.emit(finish)
    await frame.heardBy(widget)
    expect(sent.mock.results).toEqual([{ type: 'return', value: ['outside', TOKEN] }])
  })

  it('lets the form alone after destroy', async () => {
    const { widget, sent, press } = await shop()
    widget.destroy()
    press('pay')
    expect(sent).toHaveBeenCalledOnce()
  })

  it('takes the form itself, and throws when there is none', () => {
    expect(() => makeWidget().interceptSubmitForm('#nowhere')).toThrow('#nowhere')
    expect(() => callLoosely(makeWidget(), 'interceptSubmitForm', document.body)).toThrow('No form')
    const form = document.createElement('form')
    document.body.append(form)
    const widget = makeWidget()
    expect(widget.interceptSubmitForm(form)).toBe(widget)
    const submit = new SubmitEvent('submit', { cancelable: true })
    expect([form.dispatchEvent(submit), submit.defaultPrevented]).toEqual([false, true])
  })
})
