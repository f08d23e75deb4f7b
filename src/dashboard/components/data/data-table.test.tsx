import { screen } from '@testing-library/preact'
import { describe, expect, it } from 'vitest'
import { person } from '../../testing/open-dashboard.ts'
import { renderInApp } from '../../testing/render-in-app.tsx'
import { DataTable } from './data-table.tsx'
import type { Column } from './data-table.tsx'

interface Row {
  id: string
  amount: number
}
const ROWS: readonly Row[] = [1, 2, 3].map((n) => ({ id: `c${String(n)}`, amount: n * 10 }))
const COLUMNS: readonly Column<Row>[] = [
  { key: 'id', title: 'Id', cell: ({ id }) => id },
  { key: 'amount', title: 'Amount', align: 'end', cell: ({ amount }) => amount },
]

const show = () =>
  renderInApp(
    <>
      <input aria-label="Other field" />
      <DataTable
        label="Charges"
        columns={COLUMNS}
        rows={ROWS}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/charges/${id}`}
      />
    </>,
  )
const focused = () => document.activeElement?.textContent

describe('a table', () => {
  it('says its name, its columns, and where each row leads', () => {
    show()
    expect(screen.getByRole('table', { name: 'Charges' })).toBeDefined()
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Id',
      'Amount',
    ])
    expect(screen.getByRole('link', { name: 'c2' }).getAttribute('href')).toBe('/charges/c2')
  })

  it('keeps what is in a cell together, as one box beside its title on a card', () => {
    const parts: Column<Row> = {
      key: 'parts',
      title: 'Parts',
      cell: ({ amount }) => (
        <>
          <b>{amount}</b> of <i>30</i>
        </>
      ),
    }
    const columns = [...COLUMNS, parts]
    renderInApp(<DataTable label="Charges" columns={columns} rows={ROWS} keyOf={({ id }) => id} />)
    const cells = screen.getAllByRole('cell')
    expect(cells[2]?.textContent).toBe('10 of 30')
    expect(cells.map(({ childNodes }) => childNodes.length)).toEqual(cells.map(() => 1))
  })

  it('is walked through by j and k, or the arrows, and not past its ends', async () => {
    show()
    await person.keyboard('j')
    expect(focused()).toBe('c1')
    await person.keyboard('jj')
    expect(focused()).toBe('c3')
    await person.keyboard('j')
    expect(focused()).toBe('c3')
    await person.keyboard('k')
    expect(focused()).toBe('c2')
    await person.keyboard('{ArrowUp}')
    expect(focused()).toBe('c1')
    await person.keyboard('{ArrowUp}{ArrowDown}')
    expect(focused()).toBe('c2')
  })

  it('opens a row by Enter', async () => {
    const { app } = show()
    await person.keyboard('jj{Enter}')
    expect(app.router.place.value.path).toBe('/charges/c2')
  })

  it('ignores keys while a person is typing, and when shortcuts are turned off', async () => {
    const { app } = show()
    const field = screen.getByLabelText('Other field')
    await person.type(field, 'jk')
    expect(document.activeElement).toBe(field)
    field.blur()
    app.shortcuts.isOn.value = false
    await person.keyboard('j')
    expect(focused()).not.toBe('c1')
  })
})
