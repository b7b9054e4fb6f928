import { signOut, signOutEverywhere } from '../data/session.ts'

/** Signs out, here or everywhere, and opens the sign-in page anew, so that nothing stays in memory. */
export async function leave(where: 'here' | 'everywhere' = 'here'): Promise<void> {
  await (where === 'everywhere' ? signOutEverywhere() : signOut())
  location.assign('/sign-in')
}
