import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const NGINX = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx']
const BROTLI = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** A file that nginx is to serve: its bytes as they are sent, and their headers. */
export interface Content {
  path: string
  bytes: Buffer
  headers: Readonly<Record<string, string>>
}

interface Nginx {
  pid: number
  stop: () => Promise<void>
}

/**
 * nginx as one process, like the service, serving these contents precompressed from files. Null where it is not installed.
 * Without its module for brotli the compressed bytes are the file itself.
 */
export async function startNginx(
  folder: string,
  port: number,
  contents: readonly Content[],
): Promise<Nginx | null> {
  const binary = NGINX.find((path) => existsSync(path))
  if (binary === undefined) return null
  const hasBrotli = existsSync(BROTLI)
  for (const { path, bytes } of contents) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), hasBrotli ? 'not asked for' : bytes)
    if (hasBrotli) writeFileSync(join(folder, `${path}.br`), bytes)
  }
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, port, contents, hasBrotli))
  const child = spawn(binary, ['-p', folder, '-c', file, '-e', 'stderr'], { stdio: 'inherit' })
  await sleep(500)
  if (child.pid === undefined || child.exitCode !== null) throw new Error('nginx did not start')
  return {
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

function configuration(
  folder: string,
  port: number,
  contents: readonly Content[],
  hasBrotli: boolean,
): string {
  const locations = contents.map(({ path, headers }) => {
    const own = Object.entries(headers).map(([name, value]) => `add_header ${name} "${value}";`)
    const encoding = hasBrotli ? 'brotli_static on;' : 'add_header content-encoding br;'
    return `location = /${path} { ${encoding} ${own.join(' ')} }`
  })
  return `${hasBrotli ? `load_module ${BROTLI};` : ''}
daemon off; master_process off; pid ${join(folder, 'nginx.pid')};
events { worker_connections 1024; }
http {
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=100;
  types { text/javascript js; text/html html; }
  server { listen 127.0.0.1:${String(port)}; root ${folder}; ${locations.join('\n')} }
}
`
}
