export { isFirstRun } from './accounts.ts'
export { deleteOldInboxMarks } from './inbox/inbox-done.sql.ts'
export { removeOldTokens } from './personal-tokens/personal-token.sql.ts'
export { deleteExpired } from './sign-in/sign-in.sql.ts'
