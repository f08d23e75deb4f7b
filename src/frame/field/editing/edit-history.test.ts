import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editCardNumber } from './digit-editing.ts'
import { createHistory, recordEdit, undoOrRedo } from './edit-history.ts'
import { editExpiry } from './expiry-editing.ts'
import type { TextEdit, TextWithCaret } from './text-edit.ts'
import { at, show } from '../../testing/editing.ts'

type Editor = (before: string, edit: TextEdit) => TextWithCaret

/** A field that is typed into, edit by edit, and remembers. */
function open(editor: Editor) {
  const history = createHistory()
  let field = at('|')
  const put = (text: string, inputType: string) => {
    const value = field.value.slice(0, field.caret) + text + field.value.slice(field.caret)
    const edit = { value, caret: field.caret + text.length, inputType }
    const shown = editor(field.value, edit)
    recordEdit(history, field.value, edit, shown)
    field = { ...shown, end: shown.caret }
  }
  return {
    type: (keys: string) => {
      for (const key of keys) put(key, 'insertText')
    },
    paste: (text: string) => put(text, 'insertFromPaste'),
    move: (caret: number) => (field = { ...field, caret, end: caret }),
    go: (way: 'undo' | 'redo') => {
      const found = undoOrRedo(history, way, field)
      if (found !== null) field = { ...found, end: found.caret }
      return show(field)
    },
  }
}

describe('undo', () => {
  it('takes back a group of digits at a time, and redo gives it back', () => {
    const field = open(editCardNumber)
    field.type('4242424242')
    expect(field.go('undo')).toBe('4242 4242|')
    expect(field.go('undo')).toBe('4242|')
    expect(field.go('redo')).toBe('4242 4242|')
    expect(field.go('undo')).toBe('4242|')
    expect(field.go('undo')).toBe('|')
    expect(field.go('undo')).toBe('|')
  })

  it('takes back a paste whole, and what is typed elsewhere by itself', () => {
    const field = open(editCardNumber)
    field.paste('4242 4242 4242')
    field.move(2)
    field.type('9')
    expect(field.go('undo')).toBe('42|42 4242 4242')
    expect(field.go('undo')).toBe('|')
  })

  it('takes back the year of a date, then its month', () => {
    const field = open(editExpiry)
    field.type('0139')
    expect(field.go('undo')).toBe('01 / |')
    expect(field.go('undo')).toBe('|')
  })

  it('forgets what was taken back once something new is typed', () => {
    const field = open(editCardNumber)
    field.type('42424')
    field.go('undo')
    field.type('5')
    expect(field.go('redo')).toBe('4242 5|')
  })

  it('comes back to the start and to the end, with the caret inside, whatever was done', () => {
    const edit = fc.record({ place: fc.nat({ max: 25 }), text: fc.stringMatching(/^\d{1,4}$/) })
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 30 }), (edits) => {
        const field = open(editCardNumber)
        for (const { place, text } of edits) {
          field.move(Math.min(place, field.move(0).value.length))
          if (text.length === 1) field.type(text)
          else field.paste(text)
        }
        field.move(0)
        const end = field.go('redo').replace('|', '')
        for (let turn = 0; turn < 60; turn += 1) field.go('undo')
        expect(field.go('undo')).toBe('|')
        for (let turn = 0; turn < 60; turn += 1) field.go('redo')
        expect(field.go('redo').replace('|', '')).toBe(end)
      }),
      { numRuns: 300 },
    )
  })
})
