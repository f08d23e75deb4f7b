import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import * as v from 'valibot'
import { PROBES } from './report.ts'

const Counted = v.tuple([v.string(), v.number(), v.number()])

interface Count {
  right: number
  of: number
}

/** Prints, at the end of `npm run probes`, how many probes of each row were right in each browser. */
class TableReporter implements Reporter {
  readonly #rows = new Map<string, Map<string, Count>>()
  readonly #browsers = new Set<string>()

  onTestEnd(test: TestCase, { annotations }: TestResult): void {
    const browser = test.parent.project()?.name ?? ''
    for (const { type, description = '' } of annotations) {
      if (type !== PROBES) continue
      const [row, right, of] = v.parse(Counted, JSON.parse(description))
      this.#browsers.add(browser)
      this.#add(row, browser, { right, of })
      this.#add('all', browser, { right, of })
    }
  }

  onEnd(): void {
    const browsers = [...this.#browsers].sort()
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const { all, ...rows } = Object.fromEntries(this.#rows)
    const cell = (counts: Map<string, Count> | undefined, browser: string) => {
      const count = counts?.get(browser)
      return count === undefined ? '' : `${count.right} / ${count.of}`
    }
    const table = [
      line(['probe', ...browsers]),
      line(['---', ...browsers.map(() => '---')]),
      ...Object.entries(rows).map(([row, counts]) =>
        line([row, ...browsers.map((browser) => cell(counts, browser))]),
      ),
      line(['all', ...browsers.map((browser) => `${cell(all, browser)}, ${share(all?.get(browser))}`)]),
    ]
    console.log(`\n${table.join('\n')}`)
  }

  printsToStdio(): boolean {
    return false
  }

  #add(row: string, browser: string, { right, of }: Count): void {
    const counts = this.#rows.get(row) ?? new Map<string, Count>()
    const before = counts.get(browser) ?? { right: 0, of: 0 }
    counts.set(browser, { right: before.right + right, of: before.of + of })
    this.#rows.set(row, counts)
  }
}

const share = (count: Count | undefined) =>
  count === undefined ? '' : `${Math.floor((1000 * count.right) / count.of) / 10} %`

// Playwright takes a reporter by default export only.
export default TableReporter
