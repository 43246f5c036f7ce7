import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { programPath, type SpawnedServer, startServer } from './child-server.ts'

const BINARY = 'nginx'

/** How nginx speaks TLS. */
export type NginxTls = { readonly http2: boolean; readonly directives: string }

/** True if nginx is on this machine. Use it as `describe.skipIf(!nginxAvailable())`. */
export function nginxAvailable(): boolean {
  return programPath(BINARY) !== null
}

/**
 * nginx on a free loopback port as a reverse proxy of `target`. `directives` stand in its only location. With
 * `tls` it speaks TLS: `directives` of that stand in its server.
 */
export function startNginx(
  target: string,
  directives = '',
  tls: NginxTls | null = null,
): Promise<SpawnedServer> {
  return startServer({
    binary: BINARY,
    scheme: tls === null ? 'http' : 'https',
    arguments: (port, folder) => {
      const secured = tls === null ? '' : ` ssl${tls.http2 ? ' http2' : ''};\n    ${tls.directives}`
      const listen = `listen 127.0.0.1:${port}${secured};`
      writeFileSync(join(folder, 'nginx.conf'), configuration(listen, folder, target, directives))
      return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
    },
  })
}

function configuration(listen: string, folder: string, target: string, directives: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const temporary = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join('\n  ')
  return `daemon off;
master_process off;
pid ${join(folder, 'nginx.pid')};
error_log stderr;
events {}
http {
  access_log off;
  ${temporary}
  server {
    ${listen}
    location / {
      proxy_pass ${target};
      ${directives}
    }
  }
}
`
}
