import type { Refusals } from '../refusal.ts'

/** The error codes of people, roles, units and organizations; see contract/errors.ts. */
export const identityRefusals = {
  ORGANIZATION_NOT_FOUND: { status: 404, text: 'There is no such organization.' },
  MEMBER_NOT_FOUND: { status: 404, text: 'There is no such member in this organization.' },
  INVITATION_NOT_FOUND: { status: 404, text: 'There is no such invitation, or it has expired.' },
  ROLE_NOT_FOUND: { status: 404, text: 'There is no such role in this organization.' },
  UNIT_NOT_FOUND: {
    status: 404,
    text: 'There is no such department, workspace or group in this organization.',
  },
  ALREADY_MEMBER: { status: 409, text: 'This person is already a member.' },
  NAME_TAKEN: { status: 409, text: 'This name is already in use. Choose another name.' },
  ADDRESS_TAKEN: {
    status: 409,
    text: 'This address is reserved, or it is or was the address of another organization. Choose another one.',
  },
  TOO_MANY_ADDRESSES: {
    status: 409,
    text: 'This organization has had the maximum number of addresses. Choose one of the former ones.',
  },
  ROLE_IN_USE: { status: 409, text: 'Members still have this role. Give them another role first.' },
  LAST_OWNER: { status: 409, text: 'An organization needs at least one owner.' },
  OWNER_ONLY: { status: 403, text: 'Only an owner may do this.' },
  PERSON_EXISTS: { status: 409, text: 'An account with this e-mail address already exists.' },
  PASSWORD_REFUSED: { status: 400, text: 'This password is too easy to guess. Choose another one.' },
  PERSON_NOT_FOUND: { status: 404, text: 'There is no such person.' },
  TOKEN_NOT_FOUND: { status: 404, text: 'You have no such personal access token.' },
  TOO_MANY_TOKENS: {
    status: 409,
    text: 'You have the maximum number of personal access tokens. Revoke one.',
  },
  PROVISIONING_TOKEN_NOT_FOUND: { status: 404, text: 'There is no such token of an identity provider.' },
  TOO_MANY_PROVISIONING_TOKENS: {
    status: 409,
    text: 'There is the maximum number of tokens of identity providers. Revoke one.',
  },
  ALREADY_OPERATOR: { status: 409, text: 'This person is already an operator.' },
  DOCUMENT_ADDRESS_INVALID: {
    status: 403,
    text: 'This address has expired, was changed, or its document has changed. Request a new one.',
  },
  VIEW_NOT_FOUND: { status: 404, text: 'There is no such saved view.' },
  TOO_MANY_VIEWS: { status: 409, text: 'There are too many saved views. Delete one first.' },
  NOT_ON_YOURSELF: { status: 409, text: 'You cannot do this to yourself or to your own organization.' },
} as const satisfies Refusals
