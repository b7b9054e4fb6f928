/**
 * Every refusal the product can give: status, public text, and whether the code is left off the body
 * (`bare`, where the documents promise the standard body without errorCode) or is told as another one (`toldAs`, where
 * they give the same code with two statuses).
 */
export const errors = {
  // the doors, in the order in which they are checked
  UNAUTHENTICATED: {
    status: 401,
    text: 'Sign in again: the credential is missing, wrong or expired.',
    bare: true,
  },
  RATE_LIMIT_EXCEEDED: { status: 429, text: 'Too many requests. Wait for the time given in Retry-After.' },
  ORGANIZATION_SUSPENDED: {
    status: 403,
    text: 'This organization is suspended. Ask the operator of this server.',
  },
  MODULE_NOT_ENABLED: { status: 403, text: 'The plan of this organization does not include this module.' },
  CAPABILITY_NOT_ENABLED: {
    status: 403,
    text: 'The plan of this organization does not include this capability.',
  },
  FEATURE_NOT_ENABLED: { status: 403, text: 'This organization has not enabled this feature.' },
  INSUFFICIENT_SCOPE: { status: 403, text: 'The application lacks the permission for this operation.' },
  PERMISSION_DENIED: {
    status: 403,
    text: 'Your role does not allow this. Ask an administrator of your organization.',
  },
  APPLICATION_DISABLED: {
    status: 403,
    text: 'This application is disabled. Ask who manages applications in the organization.',
  },
  ORIGIN_NOT_ALLOWED: { status: 403, text: 'This origin may not use the application.' },
  VALIDATION_ERROR: { status: 400, text: 'The request is not valid. See details.' },
  MALFORMED_BODY: { status: 400, text: 'The body is not valid JSON in UTF-8.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Send the body as application/json.' },
  BODY_TOO_LARGE: { status: 413, text: 'The body is too large.' },
  NOT_FOUND: { status: 404, text: 'There is nothing at this address.', bare: true },
  METHOD_NOT_ALLOWED: { status: 405, text: 'This address does not take this method.', bare: true },
  IDEMPOTENCY_KEY_REUSED: { status: 422, text: 'This Idempotency-Key was used with another body.' },
  INTERNAL: {
    status: 500,
    text: 'Something went wrong on our side. Report the X-Request-Id of this response.',
    bare: true,
  },
  UNAVAILABLE: {
    status: 503,
    text: 'The service cannot answer right now. Try again after the time in Retry-After.',
  },

  // identity
  ORGANIZATION_NOT_FOUND: { status: 404, text: 'There is no such organization.' },
  MEMBER_NOT_FOUND: { status: 404, text: 'There is no such member in this organization.' },
  INVITATION_NOT_FOUND: { status: 404, text: 'There is no such invitation, or it has expired.' },
  ROLE_NOT_FOUND: { status: 404, text: 'There is no such role in this organization.' },
  UNIT_NOT_FOUND: {
    status: 404,
    text: 'There is no such department, workspace or group in this organization.',
  },
  ALREADY_MEMBER: { status: 409, text: 'This person is a member already.' },
  NAME_TAKEN: { status: 409, text: 'This name is in use already.' },
  ROLE_IN_USE: { status: 409, text: 'Members still have this role. Give them another first.' },
  LAST_OWNER: { status: 409, text: 'An organization needs at least one owner.' },
  OWNER_ONLY: { status: 403, text: 'Only an owner may do this.' },
  PERSON_EXISTS: { status: 409, text: 'There is an account with this e-mail already.' },
  PASSWORD_REFUSED: { status: 400, text: 'This password is too easy to guess. Choose another.' },
  PERSON_NOT_FOUND: { status: 404, text: 'There is no such person.' },
  TOKEN_NOT_FOUND: { status: 404, text: 'You have no such personal access token.' },
  TOO_MANY_TOKENS: {
    status: 409,
    text: 'You have as many personal access tokens as you can have. Revoke one.',
  },
  NOT_ON_YOURSELF: { status: 409, text: 'You cannot do this to yourself or to your own organization.' },

  // studio
  ASSET_NOT_FOUND: { status: 404, text: 'There is no such asset, or you may not see it.' },
  ASSET_ACCESS_DENIED: { status: 403, text: 'You may see this asset but not change it.' },
  ASSET_ARCHIVED: { status: 409, text: 'The asset is archived. Unarchive it first.' },
  ASSET_UPDATE_CONFLICT: { status: 409, text: 'The asset changed after you read it. Read it again.' },
  SLUG_CONFLICT: { status: 409, text: 'This slug is in use already.' },
  VERSION_EXISTS: { status: 409, text: 'This version exists already.' },
  VERSION_NOT_FOUND: { status: 404, text: 'This asset has no such version.' },
  VERSION_PUBLISHED: {
    status: 409,
    text: 'A published version does not change. Create a new version first.',
  },
  FILE_NOT_FOUND: { status: 404, text: 'There is no such attachment.' },
  FILE_EXISTS: { status: 409, text: 'There is a file at this path. Send overwrite=true to replace it.' },
  FILE_TOO_LARGE: { status: 413, text: 'A file is larger than the limit.' },
  TOO_MANY_FILES: { status: 413, text: 'A version cannot hold that many files.' },
  FILE_ADDRESS_INVALID: {
    status: 403,
    text: 'This download address has expired or was changed. Ask for a new one.',
  },
  RANGE_NOT_SATISFIABLE: { status: 416, text: 'The file has no such bytes.' },
  PACKAGE_INVALID: { status: 400, text: 'The package cannot be imported. See details.' },
  PACKAGE_TOO_LARGE: { status: 413, text: 'The package, or something in it, is larger than the limit.' },
  COLLECTION_NAME_TAKEN: { status: 409, text: 'There is a collection of this name at this place.' },
  COLLECTION_CYCLE: { status: 409, text: 'A collection cannot be moved into itself or below itself.' },
  COLLECTION_HAS_CHILDREN: { status: 409, text: 'The collection holds others. Move or delete them first.' },
  COLLECTION_TOO_DEEP: { status: 409, text: 'Collections cannot be nested that deep.' },
  TOO_MANY_COLLECTIONS: { status: 409, text: 'There is no room for another collection here.' },
  LINK_NOT_FOUND: { status: 404, text: 'There is no such link.' },
  TOO_MANY_LINKS: { status: 409, text: 'The asset has as many links as it can have.' },
  SHARE_NOT_FOUND: { status: 404, text: 'There is no such share.' },
  GRANTEE_UNKNOWN: {
    status: 400,
    text: 'Whom you share with is not a member, group or department of this organization.',
  },
  SHARE_ABOVE_OWN_LEVEL: { status: 403, text: 'You cannot give or revoke more than you may do yourself.' },
  TOO_MANY_SHARES: { status: 409, text: 'The asset has as many shares as it can have.' },
  DEPARTMENT_UNKNOWN: { status: 400, text: 'A department is not one of this organization.' },
  COLLECTION_NOT_FOUND: { status: 404, text: 'There is no such collection.' },

  // integrations
  APPLICATION_NOT_FOUND: { status: 404, text: 'There is no such application in this organization.' },
  APPLICATION_SLUG_TAKEN: { status: 409, text: 'Another application has or had this slug.' },
  TOO_MANY_APPLICATIONS: {
    status: 409,
    text: 'The organization has as many applications as it can have. Delete one.',
  },
  PRINCIPAL_UNKNOWN: { status: 400, text: 'The principal is not a member of this organization.' },
  SCOPE_IS_CRITICAL: {
    status: 403,
    text: 'A critical scope is given by a super administrator, with a reason.',
  },
  KEY_NOT_FOUND: { status: 404, text: 'The application has no such key that works.' },
  TOO_MANY_KEYS: { status: 409, text: 'As many keys as can work at a time do. Revoke one.' },
  WEBHOOK_NOT_FOUND: { status: 404, text: 'The application has no webhook.' },
  WEBHOOK_HELD: {
    status: 409,
    text: 'Nothing is sent: the webhook is held or its application disabled. Resume it first.',
  },
  SECRET_NOT_FOUND: { status: 404, text: 'The webhook has no such secret.' },
  SECRET_PREPARED: { status: 409, text: 'A secret is prepared already. Activate or retire it first.' },
  SECRET_IN_USE: { status: 409, text: 'This secret signs. Activate another one first.' },
  SECRET_RETIRED: { status: 409, text: 'This secret is retired: it is not kept any more. Prepare another.' },
  DELIVERY_NOT_FOUND: { status: 404, text: 'The application has no such delivery.' },
  DELIVERY_PENDING: { status: 409, text: 'This delivery waits to be sent already.' },
  DELIVERY_EXHAUSTED: { status: 409, text: 'This delivery has as many attempts as it can have.' },
  RECOVERY_NOT_FOUND: { status: 404, text: 'The webhook has no such recovery.' },
  RECOVERY_RUNNING: { status: 409, text: 'Another recovery or replay runs. Wait for it or cancel it.' },
  RECOVERY_ENDED: { status: 409, text: 'This recovery has ended.' },

  // error reports
  ERROR_NOT_FOUND: { status: 404, text: 'This application has no such error.' },
  ERROR_ALREADY_RESOLVED: { status: 409, text: 'This error is resolved already. Reopen it first.' },
  ERROR_ALREADY_SILENCED: { status: 409, text: 'This error is silenced already. Reopen it first.' },
  ERROR_ALREADY_OPEN: { status: 409, text: 'This error is not resolved and not silenced.' },
  TICKET_NOT_FOUND: { status: 404, text: 'This application has no such ticket.' },
  TICKET_EXISTS: { status: 409, text: 'This error has an open ticket already.' },

  // marketplace
  ENTRY_NOT_FOUND: { status: 404, text: 'There is no such entry in the marketplace, or you may not see it.' },
  ENTRY_NOT_OWN: { status: 403, text: 'Only who submitted this entry may change it.' },
  ENTRY_OWN: { status: 400, text: 'This is your own entry: you cannot install, review or report it.' },
  ENTRY_NOT_APPROVED: { status: 400, text: 'This entry is not approved.' },
  ENTRY_ARCHIVED: { status: 409, text: 'This entry was withdrawn. Submit the asset again.' },
  ENTRY_ALREADY_SUBMITTED: {
    status: 409,
    text: 'This asset is submitted already, and has no newer published version.',
  },
  ENTRY_NOT_IN_REVIEW: { status: 409, text: 'Nothing of this entry waits for a decision.' },
  REVIEW_STARTED: { status: 409, text: 'Somebody started the review of this submission already.' },
  RELEASE_CHANGED: { status: 409, text: 'Another release was submitted meanwhile. Read it first.' },
  RELEASE_REFUSED: {
    status: 400,
    text: 'The automatic checks refuse this asset. Remove what findings name, publish it and submit it again.',
  },
  ASSET_NOT_OWN: { status: 403, text: 'Only the author of an asset may submit it.' },
  ASSET_NOT_PUBLISHED: { status: 400, text: 'Publish the asset first: its published version is submitted.' },
  PRICING_NOT_SUPPORTED: { status: 400, text: 'Entries are free for now: pricing must be FREE.' },
  ENTRY_NOT_INSTALLED: { status: 400, text: 'Install the entry first: reviews come from who uses it.' },
  INSTALL_NOT_FOUND: { status: 404, text: 'You have no such install.' },
  INSTALL_UP_TO_DATE: { status: 409, text: 'This copy holds the newest approved release already.' },
  INSTALL_CONFLICT: {
    status: 409,
    text: 'The release and this copy changed the same places. See conflicts, and choose with take.',
  },
  REVIEW_NOT_FOUND: { status: 404, text: 'There is no such review.' },
  REVIEW_NOT_OWN: { status: 403, text: 'Only who wrote this review may change it.' },
  REVIEW_OWN: { status: 400, text: 'You cannot mark your own review as helpful.' },
  REPORT_NOT_FOUND: { status: 404, text: 'There is no such report.' },
  REPORT_SETTLED: { status: 409, text: 'This report is settled already.' },
  TOO_MANY_STREAMS: { status: 429, text: 'Too many open streams. Close one of them first.' },

  // chat
  NOTHING_TO_CHANGE: {
    status: 422,
    text: 'Give at least one field that is to be changed.',
    toldAs: 'VALIDATION_ERROR',
  },
  CHANNEL_NOT_FOUND: { status: 404, text: 'There is no such channel, or you are not in it.' },
  MESSAGE_NOT_FOUND: { status: 404, text: 'There is no such message, or you may not see it.' },
  APP_NOT_AUTHORIZED_IN_CHANNEL: {
    status: 403,
    text: 'The application is not authorized to do this in the channel. Ask an administrator of the channel.',
  },
  CHANNEL_ROLE_REQUIRED: {
    status: 403,
    text: 'Only an owner or administrator of the channel may do this.',
  },
  JOIN_CHANNEL_FIRST: {
    status: 403,
    text: 'You are not in the channel: join it first. An application reads there only what you may read yourself.',
  },
  CHANNEL_NOT_GOVERNED: { status: 409, text: 'Only channels and groups can be changed in this way.' },
  CHANNEL_ARCHIVED: { status: 409, text: 'The channel is archived: it can be read and nothing else.' },
  CHANNEL_MEMBER_NOT_FOUND: { status: 404, text: 'There is no such member in this channel.' },
  CHANNEL_MEMBER_EXISTS: { status: 409, text: 'This person is in the channel already.' },
  CHANNEL_NEEDS_OWNER: { status: 409, text: 'A channel needs an owner. Make somebody else owner first.' },
  NOT_THE_AUTHOR: { status: 403, text: 'Only the author may do this.' },
  GRANT_NOT_FOUND: { status: 404, text: 'The application has no grant in this channel.' },
  AGENT_NOT_FOUND: { status: 404, text: 'There is no such agent.' },
  AGENT_NOT_PENDING: { status: 409, text: 'The agent does not await approval.' },
  AGENT_NOT_ACTIVE: { status: 409, text: 'The agent is not active: it has to be approved, or is paused.' },
  AGENT_NOT_PAUSED: { status: 409, text: 'The agent is not paused.' },
  AGENT_BUDGET_EXCEEDED: {
    status: 409,
    text: 'The agents of this application have cost more than they may this month. Raise the cap first.',
  },
  AGENT_TASK_NOT_FOUND: { status: 404, text: 'The agent has no such task.' },
  TOO_MANY_IN_CHANNEL: { status: 409, text: 'There are as many of these as there can be.' },

  // crm
  LEAD_NOT_FOUND: { status: 404, text: 'There is no such lead.' },
  EMAIL_NOT_INDEXED_LEAD: { status: 404, text: 'There is no active lead with this e-mail.' },
  LEAD_ALREADY_QUALIFIED: { status: 409, text: 'The lead is qualified already, or further.' },
  LEAD_ALREADY_DISQUALIFIED: { status: 409, text: 'The lead is disqualified already.' },
  LEAD_ALREADY_LOST: { status: 409, text: 'The lead is lost. Somebody of the team can open it again.' },
  LEAD_ALREADY_CONVERTED: {
    status: 409,
    text: 'The lead is converted: it is a contact now, and does not change any more.',
  },
  LEAD_UPDATE_CONFLICT: {
    status: 409,
    text: 'The lead has changed since it was read. Read it again and repeat what you meant to change.',
  },
  LEAD_CONVERSION_REQUIRES_REASON: {
    status: 422,
    text: 'Say why the lead is converted, in 20 to 1,000 characters.',
  },
  LEAD_MOVE_NOT_ALLOWED: { status: 409, text: 'A lead does not go from its status to that one.' },
  SYNC_CURSOR_EXPIRED: {
    status: 410,
    text: 'This cursor is from before a restore. Begin again without one; leads that you have are told again.',
  },
  NOT_OF_THIS_ORGANIZATION: {
    status: 422,
    text: 'What one of the fields names is not there. See details.',
    toldAs: 'VALIDATION_ERROR',
  },
  CLIENT_NOT_FOUND: { status: 404, text: 'There is no such client.' },
  CLIENT_ARCHIVED: { status: 409, text: 'The client is archived. Take it back first.' },
  BILLING_CONTACT_NOT_FOUND: { status: 404, text: 'The client has no such billing contact.' },
  TOO_MANY_BILLING_CONTACTS: { status: 409, text: 'The client has as many billing contacts as it can have.' },
  CONTACT_NOT_FOUND: { status: 404, text: 'There is no such contact.' },
  CONTACT_ARCHIVED: { status: 409, text: 'The contact is archived. Take it back first.' },
  OPPORTUNITY_NOT_FOUND: { status: 404, text: 'There is no such opportunity.' },
  OPPORTUNITY_CLOSED: { status: 409, text: 'The opportunity is won or lost. Open it again first.' },
  CSV_NOT_READABLE: { status: 400, text: 'This is not a CSV file that can be read. See details.' },
} as const satisfies Record<string, { status: number; text: string; bare?: true; toldAs?: string }>

export type ErrorCode = keyof typeof errors
