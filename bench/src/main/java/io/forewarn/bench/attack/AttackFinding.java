package io.forewarn.bench.attack;

/**
 * Whether one promise held under an attack.
 *
 * @param what the promise and what was measured, as in "known machines were answered: 40 of 40 polls"
 */
public record AttackFinding(boolean held, String what) {
    public static AttackFinding of(boolean held, String what, Object... arguments) {
        return new AttackFinding(held, String.format(what, arguments));
    }
}
