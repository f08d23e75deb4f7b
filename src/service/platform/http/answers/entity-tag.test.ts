import { describe, expect, it } from 'vitest'
import { refuseIfChanged } from './entity-tag.ts'

describe('If-Match', () => {
  it.each([undefined, '*', ' * ', '"3"', '"1", "3"', '"1","3"', 'W/"1", "3"', ', "3",', '"a,b", "3"'])(
    'lets %j through',
    (ifMatch) => {
      expect(() => {
        refuseIfChanged('agreement', '"3"', ifMatch)
      }).not.toThrow()
    },
  )

  // A weak tag never matches here (RFC 9110, section 13.1.1); what is no list of tags names nothing.
  it.each(['', '"4"', 'W/"3"', '3', '"3', '"3" "4"', '"1", *', '"a"3""', "'3'"])('refuses %j', (ifMatch) => {
    expect(() => {
      refuseIfChanged('agreement', '"3"', ifMatch)
    }).toThrow('The agreement has changed')
  })
})
