import { createMigratedDatabase } from '../../testing/test-database.ts'
import { testStatement } from '../../testing/test-statement.ts'
import { sandboxDisputes } from './sandbox-disputes.ts'
import { testDisputeContract, twoFiles } from './testing/dispute-contract.ts'
import type { DisputeBed } from './testing/dispute-contract.ts'

const insertOpen = testStatement(
  't_open_sandbox_dispute',
  `INSERT INTO sandbox_gateway.disputes (id, hold_id, scenario, amount, currency, step, respond_by)
   VALUES ($1, $1, 'is_won', 900041, 'AUD', 'open', now() + interval '7 days')`,
)
const letTimePass = testStatement(
  't_late_sandbox_dispute',
  `UPDATE sandbox_gateway.disputes SET respond_by = now() - interval '1 second' WHERE id = $1`,
)
const stepOf = testStatement<{ step: string }>(
  't_step_of_sandbox_dispute',
  'SELECT step FROM sandbox_gateway.disputes WHERE id = $1',
)

async function openBed(): Promise<DisputeBed> {
  const database = await createMigratedDatabase()
  let last = 0
  return {
    disputes: sandboxDisputes(database),
    async open() {
      const id = `dispute-${String((last += 1))}`
      await database.run(insertOpen, [id])
      return id
    },
    defence: 'goods_or_services_provided',
    documents: twoFiles('proof_of_delivery', 'invoice'),
    statement: 'It was delivered on Monday.',
    keepsFiles: false,
    async standing(id) {
      const [row] = await database.run(stepOf, [id])
      const answered = row?.step === 'accepted' || row?.step === 'defended' ? row.step : 'not'
      return { answered, times: answered === 'not' ? 0 : 1, files: [] }
    },
    end: (id) => database.run(letTimePass, [id]),
    breakNext: null,
    nobody: null,
    close: () => database.close(),
  }
}

testDisputeContract('The sandbox', openBed, { hasConnection: false })
