import { existsSync, readFileSync } from 'node:fs'
import { DockerfileParser } from 'dockerfile-ast'
import { validate } from 'dockerfile-utils'
import { expect, it } from 'vitest'

const textOf = (file) => readFileSync(file, 'utf8')
const dockerfile = DockerfileParser.parse(textOf('deploy/Dockerfile'))

/** What the build lets in, by the lines of .dockerignore that begin with `!`. */
const letIn = textOf('.dockerignore')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))

it.each(['deploy/Dockerfile', 'scripts/image/database.Dockerfile'])('%s has no fault', (file) => {
  expect(validate(textOf(file)).map(({ message }) => message)).toEqual([])
})

it('what the image is built from is there, and .dockerignore lets it in', () => {
  const copies = dockerfile.getCOPYs().filter((copy) => copy.getFromFlag() === null)
  const sources = copies.flatMap((copy) =>
    copy
      .getArguments()
      .slice(0, -1)
      .map((one) => one.getValue()),
  )
  const named = sources.filter((source) => source !== '.')
  expect(named).toContain('package-lock.json')
  expect(named.filter((source) => !existsSync(source))).toEqual([])
  expect(named.filter((source) => !letIn.some((entry) => `${source}/`.startsWith(`${entry}/`)))).toEqual([])
})

it('the image runs as an account without privileges, on the Node of the tests', () => {
  const [image] = dockerfile.getInitialARGs().map((arg) => arg.getProperty().getValue())
  const fetched = /'node@([\d.]+)'/.exec(textOf('scripts/supported-node.mjs'))[1]
  expect(image).toBe(`docker.io/library/node:${fetched}-bookworm-slim`)
  expect(fetched.split('.')[0]).toBe(textOf('.nvmrc').trim())
  const users = dockerfile.getInstructions().filter((one) => one.getKeyword() === 'USER')
  expect(users.map((one) => one.getArgumentsContent())).toEqual(['node'])
})
