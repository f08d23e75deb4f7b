import { expect, it, vi } from 'vitest'
import { HtmlWidget } from '../html-widget.ts'
import { FakeFrame } from '../testing/fake-frame.ts'
import { ORIGIN, TOKEN, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()

it('a widget in a shadow tree finds form and inputs beside it, and those of the document', async () => {
  const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })
  shadow.innerHTML = '<form id="inner"><i id="place"></i><input name="payment_source"></form>'
  const place = shadow.querySelector('#place')
  if (place === null) throw new Error('The test has no place for the form.')
  const widget = new HtmlWidget(place, 'pk_1').setEnv('sandbox', ORIGIN)
  widget.onFinishInsert('input[name="payment_source"]', 'payment_source').interceptSubmitForm('#inner')
  void widget.load()
  const frame = new FakeFrame(shadow).load()
  frame.emit({ event: 'afterLoad' })
  const submitted = vi.fn((event: Event) => event.preventDefault())
  shadow.querySelector('#inner')?.addEventListener('submit', submitted)
  frame.emit({ event: 'finish', payment_source: TOKEN })
  const values = () =>
    [shadow, document].map(
      (root) => root.querySelector<HTMLInputElement>('input[name="payment_source"]')?.value,
    )
  await vi.waitFor(() => expect(values()).toEqual([TOKEN, TOKEN]))
  expect(submitted).toHaveBeenCalledOnce()
  widget.destroy()
})

it('that no input matches is said', async () => {
  const lines: unknown[] = []
  vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  const place = document.querySelector('#card') ?? document.body
  const widget = new HtmlWidget(place, 'pk_1')
    .setEnv('sandbox', ORIGIN)
    .onFinishInsert('#nowhere', 'payment_source')
  void widget.load()
  new FakeFrame().load().emit({ event: 'finish', payment_source: TOKEN })
  await vi.waitFor(() =>
    expect(lines).toEqual(["[svc] onFinishInsert: no input matches '#nowhere'. (no_input)"]),
  )
  widget.destroy()
})
