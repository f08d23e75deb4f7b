import { describe, expect, it } from 'vitest'
import { widgetOrigin, scriptOrigin } from './environment.ts'
import { callLoosely, makeWidget, useWidgetPage } from '../testing/widget-page.ts'

useWidgetPage()

describe('setEnv and getEnv', () => {
  it('is the sandbox until it is set', () => {
    const widget = makeWidget()
    expect(widget.getEnv()).toBe('sandbox')
    expect(widget.setEnv('production_svc')).toBe(widget)
    expect(widget.getEnv()).toBe('production_svc')
  })

  it.each(['produktion', '', 'constructor'])('throws on "%s", naming the known', (name) => {
    const widget = makeWidget()
    expect(() => callLoosely(widget, 'setEnv', name)).toThrow(
      /sandbox, staging_svc, preproduction_svc, production_svc/,
    )
    expect(widget.getEnv()).toBe('sandbox')
  })
})

describe('an alias', () => {
  it.each([
    ['https://cards.example', 'https://cards.example'],
    ['https://cards.example/some/path', 'https://cards.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['cards.example', 'https://cards.example'],
    ['cards.example:8443', 'https://cards.example:8443'],
  ])('%s is %s', (alias, origin) => {
    expect(widgetOrigin('production_svc', alias)).toBe(origin)
  })

  it('that is no host is refused at once', () => {
    expect(() => makeWidget().setEnv('sandbox', 'no host')).toThrow()
  })
})

describe('the origin that served the script', () => {
  it('is that of the script element', () => {
    const script = document.createElement('script')
    script.src = 'https://cards.example/sdk/latest/widget.umd.min.js'
    expect(scriptOrigin(script, undefined)).toBe('https://cards.example')
  })

  it('is that of the module where there is no such element', () => {
    expect(scriptOrigin(null, 'https://cards.example/sdk/latest/widget.mjs')).toBe('https://cards.example')
  })

  it.each([undefined, 'file:///home/shop/app.js', 'capacitor://app/app.js'])('is not told by %s', (url) => {
    expect(scriptOrigin(null, url)).toBe('')
  })
})
