/** A telephone at an exchange, as a part of its channel: `101`, `desk-2`. Empty: none. */
export const EXTENSION = /^[\w.@*#+-]{0,80}$/;
