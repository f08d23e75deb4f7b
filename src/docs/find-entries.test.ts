import { describe, expect, it } from 'vitest'
import type { SearchEntry } from '../contract/docs/search-entry.ts'
import { excerptOf, excerptParts } from './search-dialog.ts'
import { createSearch } from './find-entries.ts'

const entry = (kind: SearchEntry['kind'], href: string, title: string, text = ''): SearchEntry => ({
  href,
  title,
  within: '',
  kind,
  text,
})

const search = createSearch([
  entry(
    'operation',
    '/docs/reference/charges#captureCharge',
    'Take held funds',
    'POST /v1/charges/{id}/capture Takes it.',
  ),
  entry('operation', '/docs/reference/charges#listCharges', 'List charges', 'GET /v1/charges Newest first.'),
  entry(
    'field',
    '/docs/reference/charges#object-Charge.card_ccv',
    'customer.card_ccv',
    'The code of the card.',
  ),
  entry('error', '/docs/errors#card_expired', 'card_expired', 'The card has expired.'),
  entry('page', '/docs/guides/idempotency', 'Idempotency', 'A request is safe to repeat under its key.'),
])
const titlesOf = (query: string) => search(query).entries.map(({ title }) => title)

describe('the search of the documentation', () => {
  it.each([
    ['a name', 'card_expired', 'card_expired'],
    ['the last part of a name', 'card_ccv', 'customer.card_ccv'],
    ['words of a name, in any order', 'expired card', 'card_expired'],
    ['an operation by its id', 'captureCharge', 'Take held funds'],
    ['the beginning of a word', 'idempo', 'Idempotency'],
    ['capitals and accents', 'ÍDEMPOTENCY', 'Idempotency'],
    ['accents typed as signs of their own', 'I\u0301dempotency', 'Idempotency'],
    ['two letters that were exchanged', 'idempotecny', 'Idempotency'],
    ['a question', 'how do I list charges', 'List charges'],
    ['a request of a log', 'POST /v1/charges/ch_7/capture', 'Take held funds'],
    ['an address with its host and query', 'https://pay.example/v1/charges?limit=2', 'List charges'],
  ])('finds by %s', (_, query, title) => expect(titlesOf(query)[0]).toBe(title))

  it('tells an operation from others at the same address by its method', () => {
    expect(titlesOf('get /v1/charges')).toEqual(['List charges'])
    expect(titlesOf('get /v1/charges/ch_7/capture')).not.toEqual(['Take held funds'])
  })

  it('says that what it found is only like what was asked for', () => {
    expect(search('idempotency').isLoose).toBe(false)
    expect(search('idempotecny').isLoose).toBe(true)
    expect(search('list xylophones')).toMatchObject({ isLoose: true })
    expect(search('xylophone')).toEqual({ entries: [], isLoose: false })
  })

  it.each(['', '   ', '(', '[.*', '\\', '💳', '/', '__proto__', 'constructor', 'a'.repeat(200)])(
    'takes anything that is typed: %j',
    (query) => {
      expect(search(query).entries).toEqual(expect.any(Array))
      expect(
        excerptParts('Some (text).', query)
          .map(({ words }) => words)
          .join(''),
      ).toBe('Some (text).')
    },
  )
})

describe('an excerpt', () => {
  it('begins shortly before the first word that was asked for', () => {
    const text = `${'One word. '.repeat(40)}Then a refund follows. ${'More words. '.repeat(40)}`
    const excerpt = excerptOf(entry('section', '/docs', 'Title', text), 'refund')
    expect(excerpt).toMatch(/^… .*refund follows.* …$/)
    expect(excerpt.length).toBeLessThan(160)
  })

  it('marks words that begin as those of the query do, and nothing within a word', () => {
    const marked = excerptParts('Refunds: a refund, prerefund', 'refund').filter(({ isFound }) => isFound)
    expect(marked.map(({ words }) => words)).toEqual(['Refund', 'refund'])
  })
})
