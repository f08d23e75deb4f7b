import type { Command } from './command.ts'

export const preAuth: Command = {
  name: 'pre-auth',
  usage: `pre-auth MERCHANT_ID on|off
      lets a merchant hold funds and capture later, or no longer`,
  async run({ merchants, say }, [id, wish, ...more]) {
    if (id === undefined || more.length > 0 || (wish !== 'on' && wish !== 'off')) return 2
    const isKnown = await merchants.setPreAuth(id, wish === 'on')
    say(isKnown ? `Pre-Auth is ${wish}; running services follow at once.` : `There is no merchant ${id}.`)
    return isKnown ? 0 : 1
  },
}
