import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createRouter, safeReturn } from './router.ts'
import type { Router } from './router.ts'

let router: Router
beforeEach(() => {
  window.history.replaceState(null, '', '/charges?status=complete#x')
  router = createRouter(window)
})
afterEach(() => {
  router.stop()
  document.body.replaceChildren()
})

/** Clicks a link; whether the browser would have followed it. */
function click(attributes: Record<string, string>, init: MouseEventInit = {}): boolean {
  const link = document.createElement('a')
  for (const [name, value] of Object.entries(attributes)) link.setAttribute(name, value)
  link.append(document.createElement('span'))
  document.body.append(link)
  let isLeft = false
  const see = (event: Event) => {
    isLeft = !event.defaultPrevented
    event.preventDefault()
  }
  document.addEventListener('click', see, { once: true })
  link.firstElementChild?.dispatchEvent(
    new MouseEvent('click', { bubbles: true, cancelable: true, button: 0, ...init }),
  )
  return isLeft
}

describe('where the person is', () => {
  it('is read from the address', () => {
    const { path, query, hash, isFirst } = router.place.value
    expect([path, query.get('status'), hash, isFirst]).toEqual(['/charges', 'complete', 'x', true])
  })

  it('changes by go, which can keep something in the history', () => {
    router.go('/charges?cursor=2', { keep: { trail: [null] } })
    expect(router.place.value).toMatchObject({ path: '/charges', kept: { trail: [null] }, isFirst: false })
    expect(window.location.search).toBe('?cursor=2')
  })

  it('follows the browser’s own buttons', () => {
    window.history.replaceState(null, '', '/team')
    window.dispatchEvent(new PopStateEvent('popstate'))
    expect(router.place.value.path).toBe('/team')
  })
})

describe('a link', () => {
  it('to a page is followed without loading the document', () => {
    expect(click({ href: '/team?x=1' })).toBe(false)
    expect(router.place.value.path).toBe('/team')
  })

  it.each([
    ['of another origin', { href: 'https://elsewhere.example/team' }, {}],
    ['to a file of the service', { href: '/api/charges.csv' }, {}],
    ['that saves a file', { href: '/team', download: '' }, {}],
    ['that opens a tab', { href: '/team', target: '_blank' }, {}],
    ['within the page', { href: '#main' }, {}],
    ['clicked with Ctrl', { href: '/team' }, { ctrlKey: true }],
    ['clicked with ⌘', { href: '/team' }, { metaKey: true }],
    ['clicked with the middle button', { href: '/team' }, { button: 1 }],
  ])('%s is the browser’s', (_, attributes, init) => {
    expect(click(attributes, init)).toBe(true)
    expect(router.place.value.path).toBe('/charges')
  })
})

describe('the place after the sign-in', () => {
  it.each([
    ['/charges/1?tab=2#x', '/charges/1?tab=2#x'],
    [null, '/'],
    ['', '/'],
    ['charges', '/'],
    ['//elsewhere.example/x', '/'],
    ['/\\elsewhere.example', '/'],
    ['https://elsewhere.example', '/'],
    ['javascript:alert(1)', '/'],
    ['//', '/'],
    ['//[', '/'],
  ])('%s is %s', (next, place) => {
    expect(safeReturn(next, 'https://dashboard.example')).toBe(place)
  })
})
