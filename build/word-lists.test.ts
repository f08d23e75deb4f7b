import { expect, it } from 'vitest'
import { parseSync } from 'vite'
import { wordLists } from './word-lists.ts'

const rewritten = (code: string) => wordLists(code, parseSync('a.js', code).program)

it.each([
  ['x=["a","b_1","c","d"],y=2', 'x="a b_1 c d".split(" "),y=2'],
  ['x=[`a`,`b`,`c`,`d`]', 'x="a b c d".split(" ")'],
  ['f([["a","b","c","d"]])', 'f(["a b c d".split(" ")])'],
  ['x=["a","b","c"]', 'x=["a","b","c"]'],
  ['x=["a","b","c","d e"]', 'x=["a","b","c","d e"]'],
  ['x=["a","b","c",`${d}`]', 'x=["a","b","c",`${d}`]'],
  ['x=["a","b","c",1]', 'x=["a","b","c",1]'],
])('%s becomes %s', (code, made) => {
  expect(rewritten(code)).toBe(made)
})
