import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as svc from '../index.ts'
import * as double from './testing.ts'
import { createTestWidget, TEST_TOKEN, testWidgets } from './testing.ts'

const made: svc.HtmlWidget[] = []
beforeEach(() => {
  document.body.innerHTML = '<form id="shop"><div id="card"></div><input name="payment_source"></form>'
})
afterEach(() => {
  for (const widget of made.splice(0)) widget.destroy()
})

function makeWidget() {
  const widget = createTestWidget('#card')
  made.push(widget)
  return widget
}

describe('the double', () => {
  it('has everything that svc has', () => {
    expect(Object.keys(double)).toEqual(expect.arrayContaining(Object.keys(svc)))
  })

  it('remembers the widgets that a page makes', () => {
    const widget = new double.HtmlWidget('#card', 'pk_1').setEnv('production_svc')
    expect(testWidgets).toContain(widget)
  })

  it('fills and finishes by the page’s own labels and button, with the same events', async () => {
    const heard: string[] = []
    const widget = makeWidget().setText('submit_button', 'Pay').setFormLabels({ card_number: 'Number' })
    for (const name of ['afterLoad', 'validation', 'submit', 'finish'] as const)
      widget.on(name, ({ event }) => heard.push(event))
    widget.onFinishInsert('input[name="payment_source"]', 'payment_source')
    await widget.load()
    expect(document.querySelector('#card')?.textContent).toMatch(/Number.*Pay/)
    widget.fill()
    document.querySelector<HTMLButtonElement>('#card button')?.click()
    await vi.waitFor(() => expect(heard).toEqual(['afterLoad', 'validation', 'submit', 'finish']))
    expect(document.querySelector<HTMLInputElement>('[name=payment_source]')?.value).toBe(TEST_TOKEN)
    expect(widget.isValidForm()).toBe(true)
  })

  it('has a bank’s step of three buttons, in an element and in a dialog', async () => {
    const asked = { id: 'auth_1', token: 't' }
    const heard: unknown[] = []
    const canvas = new double.Canvas3ds('#card', asked)
      .on('chargeAuthCancelled', ({ status }) => heard.push(status))
      .on('chargeAuthReject', ({ status }) => heard.push(status))
    await canvas.load()
    canvas.cancel()
    canvas.endWith('timed_out').destroy()
    expect([heard, document.querySelector('button')]).toEqual([['cancelled'], null])
    const ended = double.authenticate(asked)
    await vi.waitFor(() => expect(document.querySelector('dialog button')?.textContent).toBe('Confirm'))
    document.querySelector<HTMLButtonElement>('dialog button')?.click()
    await expect(ended).resolves.toMatchObject({ succeeded: true, authentication_id: 'auth_1' })
  })

  it('refuses an empty form', async () => {
    const widget = makeWidget().setFormFields(['email*'])
    await widget.load()
    await expect(widget.fill().submit()).rejects.toMatchObject({ event: { invalid_fields: ['email'] } })
  })

  it('ends a submit as the test says', async () => {
    const widget = makeWidget()
    await widget.load()
    widget.fill()
    await expect(widget.refuseWith('No.').submit()).rejects.toMatchObject({ code: 'validation_error' })
    await expect(widget.failWith('timeout').submit()).rejects.toMatchObject({ code: 'timeout' })
    const token = TEST_TOKEN.replace('1', '2')
    await expect(widget.finishWith(token).submit()).resolves.toMatchObject({ payment_source: token })
  })

  it('ends a load as the test says, and the next one too', async () => {
    const widget = makeWidget().failLoadWith('frame_not_loaded')
    const told = widget.on('systemError')
    await expect(widget.load()).rejects.toMatchObject({ code: 'frame_not_loaded' })
    await expect(told).resolves.toMatchObject({ error: { retryable: true } })
    expect(document.querySelector('#card')?.children).toHaveLength(0)
  })

  it('follows settings, commands and a reload as the form does', async () => {
    const widget = makeWidget().setRefId('7').hide()
    await widget.load()
    const place = document.querySelector<HTMLElement>('#card > div')
    expect(place?.style.display).toBe('none')
    widget.show().updateFormValue('email', 'a@b.c').setFormElement({ field: 'email' }).focus('email')
    expect(document.activeElement).toHaveProperty('value', 'a@b.c')
    widget.clear().hideElements(['submit_button'])
    expect(document.querySelector('#card button')).toBeNull()
    expect(widget.shown).toMatchObject({ ref_id: '7', hidden: ['submit_button'] })
    await widget.reload()
    expect(document.querySelectorAll('#card > div')).toHaveLength(1)
    const told = widget.on('metaChange')
    widget.emit({
      event: 'metaChange',
      card_scheme: 'visa',
      card_number_length: 16,
      gateway_type: 'test',
      type: 'card',
    })
    await expect(told).resolves.toMatchObject({ card_scheme: 'visa', ref_id: '7' })
  })

  it('is silent after destroy', async () => {
    const widget = makeWidget()
    const heard = vi.fn()
    const loaded = widget.on('afterLoad', heard).load()
    widget.destroy()
    await expect(loaded).rejects.toMatchObject({ code: 'widget_destroyed' })
    expect(heard).not.toHaveBeenCalled()
  })
})
