import { describe, expect, it } from 'vitest'
import { DEFENCES } from '../testing/dispute-examples.ts'
import { base64Of, fileFault, keptName, missingOf, sizeWords, typesInWords } from './evidence-files.ts'

const pdf = (size: number, name = 'delivery.pdf') => ({ name, type: 'application/pdf', size })

describe('a file is refused before it is sent, in words that say what to do', () => {
  it.each([
    [
      { ...pdf(10, 'letter.docx'), type: 'application/msword' },
      [],
      /gateway takes PDF or PNG\. Save or print/,
    ],
    [{ ...pdf(10, 'photo.jpg'), type: 'image/jpeg' }, [], /^photo\.jpg can’t be sent/],
    [{ ...pdf(10, 'nothing'), type: '' }, [], /can’t be sent/],
    [pdf(0), [], /^delivery\.pdf is empty/],
    [pdf(2_000_001), [], /has 2\.01 MB, and a file may have 2 MB at most/],
    [pdf(10), Array.from({ length: 10 }, () => 1), /takes 10 files at most/],
    [pdf(1_000_001), [1_500_000], /all files would have 2\.51 MB, and 2\.5 MB is the most/],
  ])('%j beside %j', (file, others, words) => {
    expect(fileFault(file, others, DEFENCES)).toMatch(words)
  })

  it('but not where it just fits', () => {
    expect(fileFault(pdf(2_000_000), [500_000], DEFENCES)).toBeNull()
  })
})

it.each([
  ['a.pdf', 'a.pdf'],
  [`${'x'.repeat(120)}.pdf`, `${'x'.repeat(96)}.pdf`],
  ['a\u202efdp.exe\n.pdf', 'afdp.exe.pdf'],
  [' \u0000 ', 'file'],
])('the name %j is kept as %j', (name, kept) => {
  expect(keptName(name)).toBe(kept)
})

it('a size is never said to be smaller than it is', () => {
  expect([1, 999, 1001, 999_999, 1_000_000, 2_000_001].map(sizeWords)).toEqual([
    '1 kB',
    '1 kB',
    '2 kB',
    '1000 kB',
    '1 MB',
    '2.01 MB',
  ])
})

it('types are listed as people say them', () => {
  expect(typesInWords(['application/pdf'])).toBe('PDF')
  expect(typesInWords(['application/pdf', 'image/jpeg', 'image/png'])).toBe('PDF, JPEG or PNG')
})

it('a file is read as base64', async () => {
  expect(await base64Of(new File([new Uint8Array([0, 255, 16])], 'a.pdf'))).toBe('AP8Q')
})

describe('a defence still needs', () => {
  const stillNeeds = (index: number, ...added: string[]) =>
    DEFENCES.defences.slice(index, index + 1).map((defence) => {
      const missing = missingOf(
        defence,
        added.map((type) => ({ type })),
      )
      return [missing.required.map(({ type }) => type), missing.oneOf.map(({ type }) => type)]
    })[0]

  it('what is required, and nothing that is optional', () => {
    expect(stillNeeds(0)).toEqual([['proof_of_delivery'], []])
    expect(stillNeeds(0, 'proof_of_delivery')).toEqual([[], []])
  })

  it('one of those of which one is enough', () => {
    expect(stillNeeds(1, 'invoice')).toEqual([[], ['refund_receipt', 'letters']])
    expect(stillNeeds(1, 'letters')).toEqual([[], []])
  })
})
