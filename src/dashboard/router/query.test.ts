import { describe, expect, it } from 'vitest'
import { hrefWith, pathWith } from './query.ts'

const place = {
  path: '/charges',
  query: new URLSearchParams('status=complete&cursor=c2'),
  hash: '',
  kept: null,
  isFirst: true,
}

describe('the address with other values', () => {
  it.each([
    [{ q: 'MF 7&8' }, '/charges?status=complete&q=MF+7%268'],
    [{ status: null }, '/charges'],
    [{ status: '' }, '/charges'],
    [{ cursor: 'c3' }, '/charges?status=complete&cursor=c3'],
    [{ cursor: null }, '/charges?status=complete'],
  ])('%j', (changes, href) => {
    expect(hrefWith(place, changes)).toBe(href)
  })
})

describe('a path of the API', () => {
  it('has the values that there are', () => {
    expect(pathWith('/api/charges', { q: 'a b', status: '', cursor: null })).toBe('/api/charges?q=a+b')
    expect(pathWith('/api/charges', {})).toBe('/api/charges')
  })
})
