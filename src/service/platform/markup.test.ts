import { describe, expect, it } from 'vitest'
import { inline, markup } from './markup.ts'

describe('markup', () => {
  it('escapes what is put into it', () => {
    expect(markup`<a title="${'"<&'}">${['<b>', markup`<i>`]}</a>`.html).toBe(
      '<a title="&quot;&lt;&amp;">&lt;b&gt;<i></a>',
    )
    expect(inline('a `<b>` c').html).toBe('a <code>&lt;b&gt;</code> c')
  })
})
