const ID = /^(?!__.*__$)[A-Za-z0-9_-]{1,64}$/;

/**
 * Whether `value` is a valid id of a game, a ballot or a visitor: 1 to 64 of `A-Z a-z 0-9 _ -`,
 * but not `__…__`, which Firestore reserves (SPEC B1). Anything else is rejected before it reaches
 * a store.
 */
export function isId(value: string): boolean {
  return ID.test(value);
}
