export { isFirstRun } from './accounts.ts'
export { removeOldTokens } from './personal-tokens/personal-token.sql.ts'
export { deleteExpired } from './sign-in/sign-in.sql.ts'
