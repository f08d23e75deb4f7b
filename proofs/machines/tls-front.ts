import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'

export const NGINX = '/usr/sbin/nginx'
const DEPLOYED = 'deploy/nginx/card-service.conf'

/** nginx as `deploy/nginx` has it, before services: its certificate is one that only who is told of it believes. */
export interface TlsFront {
  /** Its certificate, as a file. */
  certificate: string
  stop: () => Promise<void>
}

/** `servers`: by their names or addresses, the ports of this machine to which their requests are handed on. */
export async function startTlsFront(
  folder: string,
  port: number,
  servers: Readonly<Record<string, number>>,
): Promise<TlsFront> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const names = Object.keys(servers).map((name) => `${isIP(name) === 0 ? 'DNS' : 'IP'}:${name}`)
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=proof', '-addext', `subjectAltName=${names.join(',')}`]
  const files = ['-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, port, { certificate, key }, servers))
  const child = spawn(NGINX, ['-e', join(folder, 'nginx.log'), '-c', file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  for (let tries = 0; !existsSync(join(folder, 'nginx.pid')); tries += 1) {
    if (tries > 50 || child.exitCode !== null) throw new Error('nginx did not start')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    certificate,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The `server` of the deployed file, with a folder, a port, names and a certificate of this machine. */
function configuration(
  folder: string,
  port: number,
  { certificate, key }: { certificate: string; key: string },
  servers: Readonly<Record<string, number>>,
): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const processes = Object.entries(servers).map(([name, to]) => `${name} 127.0.0.1:${to};`)
  const server = readFileSync(DEPLOYED, 'utf8')
    .replace(/^.*?(?=^server \{)/ms, '')
    .replace(/^ *listen 443/m, `listen 127.0.0.1:${port}`)
    .replace(/server_name [^;]+/, `server_name ${Object.keys(servers).join(' ')}`)
    .replace(/ssl_certificate [^;]+/, `ssl_certificate ${certificate}`)
    .replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${key}`)
  return `daemon off; master_process off; pid ${join(folder, 'nginx.pid')};
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((kind) => `${kind}_temp_path ${join(folder, `nginx-${kind}`)};`).join(' ')}
  map $host $card_process { ${processes.join(' ')} }
  ${server}
}
`
}
