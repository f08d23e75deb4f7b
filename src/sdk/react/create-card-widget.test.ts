import { render } from '@testing-library/preact'
import { createElement } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { expect, it, vi } from 'vitest'
import { FakeFrame } from '../testing/fake-frame.ts'
import { ORIGIN, TOKEN, useWidgetPage } from '../testing/widget-page.ts'
import type { CardWidgetProps } from './component-props.ts'
import { createCardWidget } from './create-card-widget.ts'

useWidgetPage()

it('shows the form, passes changes on, calls the latest callback, and goes with the component', async () => {
  const CardWidget = createCardWidget({
    createElement: (type, { ref }) => createElement(type, { ref }),
    useEffect,
    useRef: (initial) => useRef(initial),
  })
  const [first, second, prepare] = [vi.fn(), vi.fn(), vi.fn()]
  const props: CardWidgetProps = { publicKey: 'pk_1', origin: ORIGIN, language: 'fr', prepare }
  const page = render(createElement(CardWidget, { ...props, onFinish: first }))
  await Promise.resolve()
  const frame = new FakeFrame().load()
  expect(frame.greeting.welcome.settings).toMatchObject({ language: 'fr' })
  page.rerender(createElement(CardWidget, { ...props, language: 'de', onFinish: second }))
  await vi.waitFor(() =>
    expect(frame.commands).toContainEqual({ command: 'set', settings: { language: 'de' } }),
  )
  frame.emit({ event: 'finish', payment_source: TOKEN })
  await vi.waitFor(() => expect(second).toHaveBeenCalledOnce())
  expect([first.mock.calls.length, prepare.mock.calls.length]).toEqual([0, 1])
  page.unmount()
  expect(document.querySelector('iframe')).toBeNull()
  // Preact's effects are due at the next frame, which must come while the simulated browser is there.
  await new Promise((painted) => requestAnimationFrame(painted))
})
