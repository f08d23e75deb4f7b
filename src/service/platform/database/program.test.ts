import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { complaintsOf, endOf, startProgram } from './program.ts'

it('a program that cannot be started ends no process, also where nobody waits for it', async () => {
  const program = startProgram('/nowhere/program', [], { stdio: ['pipe', 'ignore', 'pipe'] })
  program.stdin?.write('unread')
  await sleep(50)
  expect(program.exitCode).toBeLessThan(0)
})

it('a program that does not read ends no process', async () => {
  const program = startProgram('/bin/true', [], { stdio: ['pipe', 'ignore', 'ignore'] })
  const end = endOf(program, 5000)
  for (let part = 0; part < 20; part += 1) program.stdin?.write('x'.repeat(100_000))
  expect(await end).toBe(0)
  await sleep(50)
})

it('why a program could not be started is told to who asked', async () => {
  const program = startProgram('/nowhere/program', [], { stdio: 'ignore' })
  const complaints = complaintsOf(program)
  await expect(endOf(program, 5000)).rejects.toThrow('ENOENT')
  expect(complaints()).toContain('ENOENT')
})
