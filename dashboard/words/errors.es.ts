/** The error codes of contract/errors.ts in Spanish; the contract has their English texts. */
export const errorTextsEs = {
  UNAUTHENTICATED: 'La sesión ha terminado o la credencial no vale. Entra otra vez.',
  NOT_FOUND: 'No está aquí, o no es para ti.',
  UNAVAILABLE: 'El servicio no puede responder ahora. Inténtalo otra vez en un momento.',
  INTERNAL: 'Algo ha fallado por nuestra parte. Comunica el identificador de la petición.',
}
