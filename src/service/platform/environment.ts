/** What other programs need: where programs and libraries are, the language, the time zone, a place for passing files. */
const FOR_PROGRAMS = /^(?:PATH|LD_LIBRARY_PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR)$/

/** The environment for a program that is no part of the service: no setting of ours, and no secret of anyone's. */
export function environmentOfPrograms(
  environment: Record<string, string | undefined> = process.env,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => FOR_PROGRAMS.test(name)))
}

/**
 * Takes PGHOST, PGOPTIONS and their like out of the environment. The `pg` package reads them for each connection, wherever
 * the connection's URL leaves something open, and they were meant for another program.
 */
export function forgetPostgresVariables(environment: Record<string, string | undefined> = process.env): void {
  for (const name of Object.keys(environment))
    if (name.startsWith('PG')) Reflect.deleteProperty(environment, name)
}
