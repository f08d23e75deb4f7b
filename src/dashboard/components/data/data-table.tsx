import { useRef } from 'preact/hooks'
import type { ComponentChildren, VNode } from 'preact'
import { useShortcuts } from '../../keyboard/use-shortcuts.ts'
import { dataTexts } from './texts.ts'
import './data-table.css'

/** A column of a table. The first one names its row. */
export interface Column<Row> {
  key: string
  title: string
  cell: (row: Row) => ComponentChildren
  /** end: for amounts and numbers. */
  align?: 'end'
  /** Whether its texts can be long without a space, such as references: they are broken anywhere. */
  isLong?: true
  /** Whether it is the state of the row, which stands beside the name on a card. */
  isState?: true
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Where a row leads. Absent: nowhere. */
  hrefOf?: (row: Row) => string
  /** Buttons at the end of each row. */
  actionsOf?: (row: Row) => ComponentChildren
}

/**
 * A table whose rows are links: j and k or the arrows go from row to row, Enter opens one. On a narrow screen each row is a
 * card: what is in a cell stands beside its title as one box. The roles are set explicitly, because `display` would take them from
 * the elements there.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  hrefOf,
  actionsOf,
}: DataTableProps<Row>): VNode {
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(() => [...(body.current?.querySelectorAll<HTMLElement>('.row-link') ?? [])])
  return (
    <div class="table-frame">
      <table class="data-table" role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ key, title, align }) => (
              <th key={key} role="columnheader" scope="col" class={align}>
                {title}
              </th>
            ))}
            {actionsOf && (
              <th role="columnheader" scope="col">
                <span class="unseen">{dataTexts.actions}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody ref={body} role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row" class={hrefOf && 'opens'}>
              {columns.map(({ key, title, cell, ...look }, index) => (
                <td key={key} role="cell" data-title={title} class={classOf(look)}>
                  {index === 0 && hrefOf ? (
                    <a class="row-link" href={hrefOf(row)}>
                      {cell(row)}
                    </a>
                  ) : (
                    <div class="cell">{cell(row)}</div>
                  )}
                </td>
              ))}
              {actionsOf && (
                <td role="cell" class="row-actions">
                  {actionsOf(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf({ align, isLong, isState }: Pick<Column<never>, 'align' | 'isLong' | 'isState'>): string {
  return [align, isLong && 'long', isState && 'state'].filter(Boolean).join(' ')
}

/** Keys that move the focus from row to row; from anywhere on the page they begin with the first. */
function useRowKeys(links: () => HTMLElement[]): void {
  const move = (step: number) => () => {
    const all = links()
    const at = all.findIndex((link) => link === document.activeElement)
    const to = all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]
    to?.focus()
    to?.scrollIntoView({ block: 'nearest' })
  }
  useShortcuts([
    { key: 'j', words: dataTexts.nextRow, run: move(1) },
    { key: 'k', words: dataTexts.previousRow, run: move(-1) },
    { key: 'ArrowDown', words: dataTexts.nextRow, run: move(1) },
    { key: 'ArrowUp', words: dataTexts.previousRow, run: move(-1) },
  ])
}
