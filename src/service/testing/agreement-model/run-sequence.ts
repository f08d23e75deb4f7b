import { viewOf } from './agreement-view.ts'
import type { Operation, Processes } from './operation.ts'
import type { RealSide } from './real-side.ts'
import { ReferenceModel } from './reference-model.ts'
import type { Answered } from './reference-model.ts'
import { dayAt, LAST_TIME, midnightOf, MINUTE_MS } from './sydney-calendar.ts'

/** What the service says, and what the model says, after a step. */
interface Pair {
  real: unknown
  model: unknown
}

const NOTHING: Pair = { real: null, model: null }

/** Does each operation on both sides and hands over the answers; before time passes, and at the end, also the state of every agreement. */
export async function runSequence(
  real: RealSide,
  { now, sequence }: { now: number; sequence: readonly Operation[] },
  compare: (after: string, pair: Pair) => void,
): Promise<void> {
  const model = new ReferenceModel(now)
  const compareAll = async (after: string) => {
    for (const [place, agreement] of model.agreements.entries())
      compare(after, { real: await real.view(place), model: viewOf(agreement) })
  }
  await real.begin(now)
  for (const [step, operation] of sequence.entries()) {
    const words = `step ${String(step)}, ${JSON.stringify(operation)}`
    if (isWait(operation) && !isWait(sequence[step - 1])) await compareAll(`before ${words}`)
    compare(words, await doAtBoth(real, model, operation, `payment ${String(step)}`))
  }
  await compareAll('in the end')
}

const isWait = (operation: Operation | undefined): boolean =>
  operation?.do === 'wait' || operation?.do === 'wait until'

async function doAtBoth(
  real: RealSide,
  model: ReferenceModel,
  operation: Operation,
  reference: string,
): Promise<Pair> {
  switch (operation.do) {
    case 'create': {
      const expected = model.create(operation)
      return { real: await real.create(operation), model: [expected, expected] }
    }
    case 'change status':
      return { real: await real.changeStatus(operation), model: [model.changeStatus(operation)] }
    case 'describe':
      return { real: await real.describe(operation), model: [model.describe(operation)] }
    case 'amend':
      return { real: await real.amend(operation, model), model: [model.amend(operation)] }
    case 'pay':
      return {
        real: sorted(await real.pay(operation, reference)),
        model: sorted(times(operation.processes, () => model.pay(operation, reference))),
      }
    case 'answer':
      return { real: await real.answer(operation), model: [model.answer(operation)] }
    case 'run':
      await real.run(operation.job, operation.processes)
      model.run(operation.job)
      return NOTHING
    case 'wait':
      return wait(real, model, model.now + operation.ms)
    case 'wait until':
      return wait(real, model, nextTime(model.now, operation.minutesAfterMidnight * MINUTE_MS))
  }
}

/** The model takes a request to both processes as two requests, one after the other. */
const times = <Result>(processes: Processes, ask: () => Result): Result[] =>
  processes === 'both' ? [ask(), ask()] : [ask()]
const sorted = (answers: Answered[]): Answered[] => answers.sort(([one], [other]) => one - other)

function wait(real: RealSide, model: ReferenceModel, until: number): Pair {
  if (until < LAST_TIME) model.now = until
  real.setTime(model.now)
  return NOTHING
}

/** The first time after this one that is `ms` after a midnight in Sydney. */
function nextTime(now: number, afterMidnight: number): number {
  const [tomorrow, dayAfter] = [1, 2].map((days) => midnightOf(dayAt(now) + days) + afterMidnight)
  if (tomorrow === undefined || dayAfter === undefined) throw new Error('there is no tomorrow')
  return tomorrow > now ? tomorrow : dayAfter
}
