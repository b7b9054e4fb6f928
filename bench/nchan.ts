import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#platform/ports.ts'
import { startProgram, temporaryFolder } from './processes.ts'

/** nginx with nchan and one worker process, because the product has one API process. */
export type Nchan = { port: number; publish: string; subscribe: string; stop(): Promise<void> }

const module = 'ngx_nchan_module.so'

/** Starts the peer; returns a reason if this machine does not have it. */
export async function startNchan(): Promise<Nchan | string> {
  const nginx = [
    '/usr/sbin/nginx',
    '/usr/bin/nginx',
    '/usr/local/sbin/nginx',
    '/opt/homebrew/bin/nginx',
  ].find(existsSync)
  if (!nginx) return 'nginx is not installed (Debian: nginx-light and libnginx-mod-nchan)'
  const built = spawnSync(nginx, ['-V'], { encoding: 'utf8' }).stderr
  const modules = /--modules-path=(\S+)/.exec(built)?.[1] ?? '/usr/lib/nginx/modules'
  if (!existsSync(join(modules, module))) return `nginx has no ${module} (Debian: libnginx-mod-nchan)`

  const folder = temporaryFolder()
  const port = await freePort('127.0.0.1')
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, configuration(folder, join(modules, module), port))
  const { stop } = startProgram(nginx, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')])
  for (let tries = 0; tries < 200; tries++) {
    const status = await fetch(`http://127.0.0.1:${port}/`).then(
      answer => answer.status,
      () => 0,
    )
    if (status > 0) return { port, publish: '/publish', subscribe: '/subscribe', stop }
    await sleep(25)
  }
  await stop()
  return 'nginx does not start'
}

function configuration(folder: string, module: string, port: number): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  return `
${process.geteuid?.() === 0 ? 'user root root;' : ''}
load_module ${module};
daemon off;
worker_processes 1;
worker_rlimit_nofile 16384;
pid ${folder}/nginx.pid;
events { worker_connections 8192; }
http {
  access_log off;
  keepalive_requests 100000000;
  ${paths.join('\n  ')}
  server {
    listen 127.0.0.1:${port} backlog=4096;
    tcp_nodelay on;
    location = /publish { nchan_publisher; nchan_channel_id bench; }
    location = /subscribe { nchan_subscriber eventsource; nchan_channel_id bench; }
  }
}
`
}
