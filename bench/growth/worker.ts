import { repeat } from '../../src/service/platform/jobs/repeat.ts'
import { openReading } from '../dashboard/reading.ts'

/**
 * Does the jobs that its arguments name, after the address of the database, as one more process of the service: from the first message of its
 * parent on, until that goes. Tells its parent that it is ready, and then, whenever it is asked, its processor seconds.
 */
const [connectionString = '', ...names] = process.argv.slice(2)
const { service } = await openReading(connectionString)
const jobs = service.jobs.filter(({ name }) => names.includes(name))
process.once('message', () => {
  for (const job of jobs) repeat(job, (error) => console.error(error))
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send?.({ seconds: (user + system) / 1e6 })
  })
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
