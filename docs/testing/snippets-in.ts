import { readdirSync, readFileSync } from 'node:fs'

/** Where a sample of code runs: `js` in Node, `sh` in a shell, and in a page `html` and `js browser`. */
export type Place = 'js' | 'js browser' | 'html' | 'sh'

/** The samples of a page of the documentation that run in one place, from top to bottom. */
export function snippetsIn(page: string, place: Place): string[] {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)
  return [...blocks].flatMap(([, language, code = '']) => (language === place ? [code] : []))
}

/** What stands for the address of the service in samples. */
const PLACEHOLDER = /https:\/\/YOUR-SERVICE|http:\/\/localhost:8080/g

/** A sample with the address of a service that runs. */
export const at = (address: string, snippet: string): string => snippet.replace(PLACEHOLDER, address)

/** Pages that a merchant's developer reads and that have samples of that place. */
export function pagesWith(place: Place): string[] {
  const pages = ['docs', 'docs/guides'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.md') ? [`${folder}/${name}`] : [])),
  )
  return pages.filter((page) => snippetsIn(page, place).length > 0)
}
