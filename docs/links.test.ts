import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const own = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md']
const pages = [
  ...own,
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** A page without its code blocks, in which nothing is a link or a heading. */
const proseOf = (page: string): string => readFileSync(page, 'utf8').replace(/^ *```.*?^ *```$/gms, '')

/** The anchors that a Markdown viewer gives to headings: lower case, without punctuation, with hyphens for spaces. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

interface Link {
  page: string
  target: string
}

const links = pages.flatMap((page): Link[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
)

/** Addresses elsewhere, and those of the running service's documentation, which its own test follows. */
const OF_SITE = /^(?:[a-z]+:|\/docs)/

/** What is wrong with a link within the repository; null if nothing is. */
function faultOf({ page, target }: Link): string | null {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(file)) return `there is no ${file}`
  if (anchor === undefined || anchorsOf(file).includes(anchor)) return null
  return `${file} has no heading #${anchor}`
}

/** Files and folders that are named in code style, for a reader to open. */
const named = pages
  .filter((page) => page !== 'CHANGELOG.md')
  .flatMap((page) =>
    [...proseOf(page).matchAll(/`((?:src|demo|e2e|build|proofs|attack|bench|scripts|docs)\/[\w./-]+)`/g)].map(
      ([, path = '']) => ({ page, path }),
    ),
  )

/** What a merge leaves where two changes met, also as a formatter of Markdown writes it. */
const MERGE_MARKS = /^(?:<{7} |={7}$|(?:> ?){7})/m

describe('the documentation', () => {
  it('has no marks of a merge', () => {
    expect(pages.filter((page) => MERGE_MARKS.test(readFileSync(page, 'utf8')))).toEqual([])
  })

  it.each(links.filter(({ target }) => !OF_SITE.test(target)))('$page links to $target', (link) => {
    expect(faultOf(link)).toBeNull()
  })

  it.each(named)('$page names $path', ({ path }) => {
    expect(existsSync(path)).toBe(true)
  })

  it.each(pages.filter((page) => page.startsWith('docs/')))('%s is linked from somewhere else', (page) => {
    const leads = (link: Link) => link.page !== page && join(dirname(link.page), link.target) === page
    expect(links.some(leads)).toBe(true)
  })
})
