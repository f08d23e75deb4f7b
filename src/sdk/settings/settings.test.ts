import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WidgetSettings } from '../../contract/page/widget-settings.ts'
import type { HtmlWidget } from '../html-widget.ts'
import { FakeFrame } from '../testing/fake-frame.ts'
import { callLoosely, loadedWidget, makeWidget, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()

type Row = [call: string, set: (widget: HtmlWidget) => HtmlWidget, settings: WidgetSettings]

const card = ['card_name', 'card_number', 'expire_month', 'expire_year', 'card_ccv'] as const
const cardFields = card.map((field) => ({ field, required: true }))

/** Every setter of the contract's method table, and what the form is told. */
const ROWS: Row[] = [
  ['setTexts', (w) => w.setTexts({ title: 'Pay: now, please' }), { texts: { title: 'Pay: now, please' } }],
  ['setText', (w) => w.setText('finish_text', 'Thanks'), { texts: { finish_text: 'Thanks' } }],
  ['setStyles', (w) => w.setStyles({ text_color: '#123' }), { styles: { text_color: '#123' } }],
  ['setStyle', (w) => w.setStyle('font_family', 'A, "B C"'), { styles: { font_family: 'A, "B C"' } }],
  [
    'setElementStyle at rest',
    (w) => w.setElementStyle('label', { color: 'red' }),
    { element_styles: [{ element: 'label', styles: { color: 'red' } }] },
  ],
  [
    'setElementStyle in a state',
    (w) => w.setElementStyle('input', 'focus', { border: '1px solid rgb(1, 2, 3)' }),
    { element_styles: [{ element: 'input', state: 'focus', styles: { border: '1px solid rgb(1, 2, 3)' } }] },
  ],
  [
    'setElementStyle with no state named',
    (w) => w.setElementStyle('title', null, { margin: '0' }),
    { element_styles: [{ element: 'title', styles: { margin: '0' } }] },
  ],
  [
    'setFormFields',
    (w) => w.setFormFields(['card_name*', 'email']),
    {
      fields: [
        { field: 'card_name', required: true },
        { field: 'email', required: false },
      ],
    },
  ],
  [
    'setFormElement',
    (w) => w.setFormElement({ field: 'phone*', label: 'Mobile' }),
    { fields: [...cardFields, { field: 'phone', required: true }], labels: { phone: 'Mobile' } },
  ],
  ['setFormLabels', (w) => w.setFormLabels({ email: 'E: a, b' }), { labels: { email: 'E: a, b' } }],
  ['setFormLabel', (w) => w.setFormLabel('email', 'Mail'), { labels: { email: 'Mail' } }],
  ['setFormPlaceholders', (w) => w.setFormPlaceholders({ email: 'a@b' }), { placeholders: { email: 'a@b' } }],
  ['setFormPlaceholder', (w) => w.setFormPlaceholder('email', 'x'), { placeholders: { email: 'x' } }],
  ['setFormValues', (w) => w.setFormValues({ email: 'a@b.c' }), { values: { email: 'a@b.c' } }],
  ['setFormValue', (w) => w.setFormValue('email', 'a@b.c'), { values: { email: 'a@b.c' } }],
  ['updateFormValues', (w) => w.updateFormValues({ email: 'n@b.c' }), { values: { email: 'n@b.c' } }],
  ['updateFormValue', (w) => w.updateFormValue('email', 'n@b.c'), { values: { email: 'n@b.c' } }],
  ['setHiddenElements', (w) => w.setHiddenElements(['submit_button']), { hidden: ['submit_button'] }],
  ['hideElements', (w) => w.hideElements(['card_name']), { hidden: ['card_name'] }],
  ['showElements', (w) => w.showElements(['card_name']), { hidden: [] }],
  [
    'setSupportedCardIcons',
    (w) => w.setSupportedCardIcons(['visa', 'japcb']),
    { card_icons: ['visa', 'japcb'], only_supported: false },
  ],
  [
    'setSupportedCardIcons with validate',
    (w) => w.setSupportedCardIcons(['visa'], true),
    { card_icons: ['visa'], only_supported: true },
  ],
  ['setRefId', (w) => w.setRefId(42), { ref_id: '42' }],
  ['setTheme', (w) => w.setTheme('soft'), { theme: 'soft' }],
  ['setLayout', (w) => w.setLayout('line'), { layout: 'line' }],
  ['setLanguage', (w) => w.setLanguage('fr'), { language: 'fr' }],
  ['setLanguage with a region', (w) => w.setLanguage('fr-CA'), { language: 'fr' }],
  ['setLanguage of a region', (w) => w.setLanguage('pt-BR'), { language: 'pt-BR' }],
  ['setMeta', (w) => w.setMeta({ cart: [1, 2], skip: undefined }), { meta: { cart: [1, 2] } }],
]

describe('each setter', () => {
  it.each(ROWS)('%s is there when the form is greeted', (_, set, settings) => {
    const widget = makeWidget()
    expect(set(widget)).toBe(widget)
    void widget.load()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject(settings)
  })

  it.each(ROWS)('%s goes to a form that is there at once', async (_, set, settings) => {
    const { widget, frame } = await loadedWidget()
    set(widget)
    await vi.waitFor(() => expect(frame.commands.length).toBeGreaterThan(0))
    expect(frame.commands[0]).toMatchObject({ command: 'set', settings: firstOf(settings) })
  })

  const firstOf = (settings: WidgetSettings) => Object.fromEntries(Object.entries(settings).slice(0, 1))
})

describe('settings that come one after the other', () => {
  it('add up where they have entries, and replace where they are lists', () => {
    const widget = makeWidget()
      .setText('title', 'One')
      .setText('finish_text', 'Two')
      .hideElements(['email'])
      .hideElements(['submit_button', 'email'])
      .showElements(['email'])
      .setElementStyle('input', { color: 'red', margin: '0' })
      .setElementStyle('input', 'error', { color: 'blue' })
      .setElementStyle('input', { color: 'green' })
    void widget.load()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject({
      texts: { title: 'One', finish_text: 'Two' },
      hidden: ['submit_button'],
      element_styles: [
        { element: 'input', state: 'error', styles: { color: 'blue' } },
        { element: 'input', styles: { color: 'green', margin: '0' } },
      ],
    })
  })

  it('setFormElements says it all at once, setFormElement says more of one', () => {
    const widget = makeWidget()
      .setFormElements([
        { field: 'email*', label: 'Mail', placeholder: 'you@…', value: 'a@b.c' },
        { field: 'phone' },
      ])
      .setFormElement({ field: 'email', label: 'E-mail' })
    void widget.load()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject({
      fields: [
        { field: 'email', required: false },
        { field: 'phone', required: false },
      ],
      labels: { email: 'E-mail' },
      placeholders: { email: 'you@…' },
      values: { email: 'a@b.c' },
    })
  })
})

describe('what a setter does not know', () => {
  it.each([
    ['setTexts', [{ titel: 'Pay', title: 'Yes' }], /titel.*title, title_h1/, { texts: { title: 'Yes' } }],
    ['setTexts', [{ submit_button: 3, title: 'Yes' }], /submit_button/, { texts: { title: 'Yes' } }],
    ['setTexts', [{ finish_text: 'x'.repeat(2001) }], /finish_text/, { texts: {} }],
    ['setTexts', [null], undefined, { texts: {} }],
    [
      'setStyles',
      [{ colour: 'red', font_size: '1px' }],
      /colour.*text_color/,
      { styles: { font_size: '1px' } },
    ],
    ['setElementStyle', ['inputs', { color: 'red' }], /inputs.*input, submit_button/, { element_styles: [] }],
    [
      'setElementStyle',
      ['label', 'hover', { color: 'red' }],
      /hover.*states of label/,
      { element_styles: [] },
    ],
    ['setElementStyle', ['label', { top: '0' }], /top.*border_radius/, { element_styles: [{ styles: {} }] }],
    ['setFormFields', [['e-mail*', 'email']], /e-mail.*email/, { fields: [{ field: 'email' }] }],
    ['setFormLabels', [{ mail: 'x' }], /mail.*email/, { labels: {} }],
    ['setFormPlaceholders', [{ mail: 'x' }], /mail.*email/, { placeholders: {} }],
    ['setFormValues', [{ card_number: '4111' }], /card_number/, { values: {} }],
    ['updateFormValue', ['card_ccv', '123'], /card_ccv/, { values: {} }],
    ['setHiddenElements', [['button']], /button.*submit_button/, { hidden: [] }],
    ['setSupportedCardIcons', [['vise', 'visa']], /vise.*visa/, { card_icons: ['visa'] }],
    ['setTheme', ['dark'], /dark.*plain, soft/, {}],
    ['setLayout', ['row'], /row.*stacked, line/, {}],
    ['setLanguage', ['xx'], /xx.*en, fr/, { language: 'en' }],
    ['setMeta', [{ price: 10n }], /meta/, { meta: {} }],
    ['setMeta', [{ ['k'.repeat(65)]: 1 }], /meta/, { meta: {} }],
  ] as const)('%s(%s) is left out with one warning', (method, given, words, settings) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
    const widget = makeWidget()
    callLoosely(widget, method, ...given)
    expect(warn).toHaveBeenCalledTimes(words ? 1 : 0)
    if (words) expect(warn.mock.calls[0]?.[0]).toMatch(words)
    void widget.load()
    expect(new FakeFrame().load().greeting.welcome.settings).toMatchObject(settings)
  })
})

describe('the language', () => {
  it('set before the load is in the frame’s address', () => {
    void makeWidget().setLanguage('pt-BR').load()
    expect(new URL(new FakeFrame().element.src).searchParams.get('language')).toBe('pt-BR')
  })

  it.each([
    ['none', (widget: HtmlWidget) => widget],
    ['auto', (widget: HtmlWidget) => widget.setLanguage('auto')],
  ])('where %s is set is the nearest that is declared around, beyond a shadow tree too', (_, prepare) => {
    document.body.innerHTML = '<section lang="fr-CA"><div id="host"></div></section>'
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' })
    const place = root?.appendChild(document.createElement('div'))
    const widget = makeWidget(place)
    void prepare(widget).load()
    expect(new URL(new FakeFrame(root).element.src).searchParams.get('language')).toBe('fr')
  })

  it('where the page says nothing is the first of the browser’s that the form has', () => {
    vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['fi-FI', 'zh-Hant-HK', 'en'])
    void makeWidget().load()
    expect(new URL(new FakeFrame().element.src).searchParams.get('language')).toBe('zh-TW')
  })
})

describe('setMeta in a page whose libraries give objects a toJSON of their own', () => {
  const meta = {
    cart: [{ sku: 'a', sizes: [1, 2] }, null],
    at: new Date('2026-11-26'),
    total: { toJSON: () => '49.00' },
  }
  const plain = { cart: [{ sku: 'a', sizes: [1, 2] }, null], at: '2026-11-26T00:00:00.000Z', total: '49.00' }

  it.each([
    ['none', null],
    ['Array, as Prototype.js', Array.prototype],
    ['Object, as MooTools', Object.prototype],
  ])('is kept as it is: %s', (_, patched) => {
    if (patched !== null) {
      Object.defineProperty(patched, 'toJSON', { configurable: true, value: () => 'converted' })
      onTestFinished(() => void Reflect.deleteProperty(patched, 'toJSON'))
    }
    void makeWidget().setMeta(meta).load()
    expect(new FakeFrame().load().greeting.welcome.settings.meta).toEqual(plain)
  })
})
