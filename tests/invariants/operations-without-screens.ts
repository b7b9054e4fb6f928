/**
 * The operations of people, accounts and operators that no screen calls yet, by the step of the dashboard in
 * which their screen comes. Remove an operation from the list when its screen is there.
 */
export const operationsWithoutScreens: Readonly<Record<string, readonly string[]>> = {}

/** The operations that no screen will call, with the reason. */
export const operationsWithoutNeed: Readonly<Record<string, string>> = {
  createInvitation: 'inviteMany invites one address, too',
  createStreamToken: 'the stream of the SDK calls it',
  getRole: 'listRoles has the same fields',
  openCatalogStream: 'openPeopleStream carries its events',
  openChatStream: 'openPeopleStream carries its events',
  openMarketplaceStream: 'openPeopleStream carries its events',
  readSignature: 'verifySignature replies with its fields, too',
  showPublicLink: 'listInvoiceLinks has the current link, too',
  syncLeads: 'for applications; lead-changed tells people',
}
