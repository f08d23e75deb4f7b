import { afterEach, expect, it } from 'vitest'
import { colorSchemeOf } from './frame-session.ts'

afterEach(() => {
  document.body.innerHTML = ''
})

it.each([
  ['', 'light'],
  ['background-color: rgb(255, 255, 255)', 'light'],
  ['background-color: rgb(20, 20, 30)', 'dark'],
  ['background-color: rgb(30, 58, 138)', 'dark'],
  ['background-color: rgba(0, 0, 0, 0.2)', 'light'],
  ['background-color: rgba(0, 0, 0, 0.9)', 'dark'],
])('a page that has %j around the form is %s', (style, scheme) => {
  document.body.innerHTML = `<section style="${style}"><div id="card"></div></section>`
  expect(colorSchemeOf(document.querySelector('#card') ?? document.body)).toBe(scheme)
})

it('what a page declares counts before its background', () => {
  document.body.innerHTML =
    '<div id="card" style="background-color: rgb(20, 20, 30); color-scheme: light"></div>'
  expect(colorSchemeOf(document.querySelector('#card') ?? document.body)).toBe('light')
})

it('the nearest background counts, also through a shadow tree', () => {
  document.body.innerHTML =
    '<div style="background-color: rgb(0, 0, 0)"><p style="background-color: rgb(250, 250, 250)"></p></div>'
  const [outer, inner] = [document.querySelector('div'), document.querySelector('p')]
  const inShadow = (host: Element | null) =>
    host?.attachShadow({ mode: 'open' }).appendChild(document.createElement('i')) ?? document.body
  expect(colorSchemeOf(inShadow(inner))).toBe('light')
  expect(colorSchemeOf(inShadow(outer))).toBe('dark')
})
