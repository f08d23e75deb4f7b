import { repeat } from '../../../src/service/platform/jobs/job.ts'
import { openReading } from '../../dashboard/reading.ts'

/**
 * One more process of the service. Arguments: the address of the database, then the names of the jobs that it runs. It tells its parent
 * that it is ready, begins with the first message of its parent, ends when that disconnects, and tells its processor seconds when asked.
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
