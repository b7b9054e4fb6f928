import { chmodSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'

/** The user that PostgreSQL runs as; undefined: the current user. */
export type SystemAccount = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root, so root needs another user: the owner of the existing cluster, else the
 * owner of the data folder, else `nobody`. An ordinary user runs PostgreSQL as itself (undefined).
 *
 * To create a cluster, the user must be in /etc/passwd, because initdb looks up its name.
 */
export function chooseAccount(dataDir: string): SystemAccount {
  if (process.geteuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new Error('PostgreSQL does not run as root. Start Patio as an ordinary user, or set DATABASE_URL.')
  }
  const cluster = statSync(join(dataDir, 'postgres'), { throwIfNoEntry: false })
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid }
  const users = namedUsers()
  const owner = statSync(dataDir)
  if (owner.uid !== 0 && users.some(user => user.uid === owner.uid)) return { uid: owner.uid, gid: owner.gid }
  const nobody = users.find(user => user.name === 'nobody')
  return nobody ? { uid: nobody.uid, gid: nobody.gid } : { uid: 65534, gid: 65534 }
}

/** Changes the owner of `dir` and everything in it. Throws with advice if this root may not. */
export function changeOwnerOfTree(dir: string, account: SystemAccount): void {
  changeOwner(dir, account)
  if (!account) return
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' }))
    changeOwner(join(dir, name), account)
}

/** Changes the owner of one file or folder. */
export function changeOwner(path: string, account: SystemAccount): void {
  if (!account) return
  try {
    lchownSync(path, account.uid, account.gid)
  } catch (error) {
    throw new Error(
      `${path} cannot be given to user id ${account.uid}, which PostgreSQL would run as (it refuses root): ` +
        `${(error as Error).message}. Start Patio as an ordinary user, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** Refuses a cluster folder that an ordinary user cannot work in. */
export function assertOwn(dir: string, account: SystemAccount): void {
  const owner = statSync(dir).uid
  if (account || owner === process.geteuid?.()) return
  throw new Error(
    `${dir} belongs to user id ${owner} and Patio runs as user id ${process.geteuid?.()}. ` +
      'Start Patio as the owner of the folder, or change its owner with chown -R.',
  )
}

/** Sets the owner and mode that PostgreSQL requires; most ways of copying change them. */
export function claimCluster(dir: string, account: SystemAccount): void {
  if (statSync(dir).uid === 0 || statSync(join(dir, 'PG_VERSION')).uid === 0) changeOwnerOfTree(dir, account)
  chmodSync(dir, 0o700)
}

/** initdb looks up the name of its user, and fails in a container with a bare user id. */
export function assertNamed(account: SystemAccount): void {
  if (account) return
  try {
    userInfo()
  } catch (cause) {
    throw new Error(
      `the user id ${process.geteuid?.()} has no name in /etc/passwd, which PostgreSQL needs to create a cluster. ` +
        'Start Patio as a user with a name, or set DATABASE_URL.',
      { cause },
    )
  }
}

/**
 * Changes the owner of files that root created in a user's data folder, because that user may start Patio
 * next.
 */
export function leaveToOwner(dataDir: string, names: string[]): void {
  if (process.geteuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  for (const name of names) changeOwner(join(dataDir, name), { uid, gid })
}

function namedUsers(): { name: string; uid: number; gid: number }[] {
  return readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .filter(fields => fields.length >= 4)
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
}
