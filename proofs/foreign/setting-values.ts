import type pg from 'pg'

/** One setting, as `ALTER ROLE … SET` gets it. */
export interface Setting {
  name: string
  value: string
}

interface Known {
  name: string
  setting: string
  vartype: 'bool' | 'enum' | 'integer' | 'real' | 'string'
  min_val: string | null
  max_val: string | null
  enumvals: string[] | null
}

/** Texts that have harmed somebody; any other setting of a text gets nothing and nonsense. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  DateStyle: ['German, DMY', 'SQL, DMY', 'Postgres, MDY', 'ISO, YMD'],
  TimeZone: ['Africa/Monrovia', 'Asia/Kathmandu', '<-03>+3'],
  client_encoding: ['LATIN1', 'SQL_ASCII', 'SJIS'],
  search_path: ['nowhere', 'pg_catalog', 'pg_temp, public', '"$user"', ''],
  session_preload_libraries: ['nowhere'],
  local_preload_libraries: ['nowhere'],
  role: ['somebody'],
  lc_messages: ['C', 'POSIX'],
  lc_monetary: ['C', 'POSIX'],
  lc_numeric: ['C', 'POSIX'],
  lc_time: ['C', 'POSIX'],
  timezone_abbreviations: ['India', 'Australia'],
  default_text_search_config: ['german', 'simple'],
}

/** Settings that a session can't be given by its role: the session itself is made of them, or each transaction sets them anew. */
const OF_TRANSACTIONS = [
  'transaction_isolation',
  'transaction_read_only',
  'transaction_deferrable',
  'session_authorization',
]

/** Every value to try of every setting that a role can carry: the other one, all others, the least, the most and a small one. */
export async function foreignSettings(admin: pg.Pool): Promise<Setting[]> {
  const { rows } = await admin.query<Known>(
    `SELECT name, setting, vartype, min_val, max_val, enumvals FROM pg_settings
     WHERE context IN ('user', 'superuser', 'backend', 'superuser-backend') AND name <> ALL ($1) ORDER BY name`,
    [OF_TRANSACTIONS],
  )
  return rows.flatMap((known) =>
    valuesOf(known)
      .filter((value) => value !== known.setting)
      .map((value) => ({ name: known.name, value })),
  )
}

function valuesOf({ name, setting, vartype, min_val, max_val, enumvals }: Known): readonly string[] {
  if (vartype === 'bool') return [setting === 'on' ? 'off' : 'on']
  if (vartype === 'enum') return enumvals ?? []
  if (vartype === 'string') return TEXTS[name] ?? ['', 'nonsense']
  const [least, most] = [Number(min_val), Number(max_val)]
  const small = Math.min(least <= 0 ? 1 : least + 1, most)
  return [...new Set([String(min_val), String(small), String(max_val)])]
}
