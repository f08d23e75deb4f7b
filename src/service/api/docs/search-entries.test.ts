import { expect, it } from 'vitest'
import { searchEntries } from './search-entries.ts'

const entriesOf = (html: string, path = '/docs/reference/things') =>
  searchEntries([{ path, title: 'Things', summary: 'All things.', parts: [], body: { html } }])

it('a page, its operations and their fields are entries, each with its own words', () => {
  const html = `<h1>Things</h1><p>Before &amp; after.</p>
<article id="makeThing"><h2>Make a <code>thing</code> <a class="anchor" href="#makeThing">#</a></h2><p>It is made.</p>
<table><tr id="makeThing.body.color"><td><code>paint.<wbr>color</code></td><td>Its colour.</td></tr></table><h4>Answers</h4></article>
<section id="object-Thing"><h2>Thing: all fields</h2></section>`
  expect(entriesOf(html)).toEqual([
    { href: '/docs/reference/things', title: 'Things', within: '', kind: 'page', text: 'Before & after.' },
    {
      href: '/docs/reference/things#makeThing',
      title: 'Make a thing',
      within: 'Things',
      kind: 'operation',
      text: 'It is made.',
    },
    {
      href: '/docs/reference/things#makeThing.body.color',
      title: 'paint.color',
      within: 'Things › Make a thing',
      kind: 'field',
      text: 'Its colour.',
    },
    {
      href: '/docs/reference/things#object-Thing',
      title: 'Thing: all fields',
      within: 'Things',
      kind: 'object',
      text: '',
    },
  ])
})

it('samples, and what is marked as written elsewhere, are not searched', () => {
  const [page] = entriesOf(
    '<p>One.</p><pre tabindex="0"><code>two</code></pre><dl data-unsearched>three</dl><p>Four.</p>',
  )
  expect(page?.text).toBe('One. Four.')
})

it.each([
  ['<dt id="x"><code>x</code></dt><dd>Words.</dd>', '/docs/errors', 'error'],
  ['<dt id="x"><code>x</code></dt><dd>Words.</dd>', '/docs/events', 'event'],
  ['<h2 id="x">x</h2><p>Words.</p>', '/docs/guides/x', 'section'],
])('of %s at %s is made an %s', (html, path, kind) => {
  expect(entriesOf(html, path)[1]).toMatchObject({ href: `${path}#x`, title: 'x', kind, text: 'Words.' })
})
